package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.nacos.settings.NacosSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The server's own users as a source of logins: first the database, then the cache, then a hash.
 *
 * <p>The database is asked each time, so that a changed password or a deleted user is rejected at once on every node.
 * The stamp of a user is the stored hash. {@link #limits()} belong in front of every source of passwords. Safe for use
 * by any number of threads.
 */
final class Passwords implements LoginSource<PasswordCredentials> {

    /** The name of this source in the configuration. */
    static final String NAME = "users";

    /** bcrypt reads 72 bytes; far longer passwords are not worth memory. */
    private static final int LONGEST_PASSWORD = 4_096;

    /** Equal to the wait for a hash: a login that waits for logins of the same account or client IP waits for their hashes. */
    private static final LoginLimitSettings.Waiting WAITING =
            new LoginLimitSettings.Waiting(Duration.ofSeconds(15), 256, 10_000);

    private final StoredUsers users;
    private final @Nullable CredentialCache cache;
    private final PermittedEncoder permitted;
    private final BcryptCheck check;
    private final LoginLimits limits;
    private final LoginLimitGate limited;
    private final WaitingThreads waiting;

    private Passwords(
            StoredUsers users,
            @Nullable CredentialCache cache,
            PermittedEncoder permitted,
            BcryptCheck check,
            LoginLimits limits,
            WaitingThreads waiting) {
        this.users = users;
        this.cache = cache;
        this.permitted = permitted;
        this.check = check;
        this.limits = limits;
        this.limited = new LoginLimitGate(limits, waiting, CurrentCall::currentSource);
        this.waiting = waiting;
    }

    /**
     * Creates the source with these limits.
     *
     * @param hashing computes the hash for the comparison
     * @param mostWaiting the largest number of threads that wait for a hash or for other logins
     * @param time closed by the caller
     */
    static Passwords with(
            StoredUsers users, PasswordEncoder hashing, NacosSettings settings, int mostWaiting, GuardTime time) {
        return with(users, hashing, settings.passwordCache(), settings.hashing(), mostWaiting, time);
    }

    static Passwords with(
            StoredUsers users,
            PasswordEncoder hashing,
            @Nullable CredentialCacheSettings caching,
            HashingSettings permits,
            int mostWaiting,
            GuardTime time) {
        WaitingThreads waiting = WaitingThreads.atMost(mostWaiting);
        PermittedEncoder permitted =
                new PermittedEncoder(hashing, new HashingPermits(permits, waiting, time, GuardListener.NONE));
        CredentialCache cache = caching == null ? null : CredentialCache.with(caching);
        PasswordEncoder encoder = cache == null ? permitted : CachingPasswordEncoder.around(permitted, cache);
        LoginLimits limits =
                LoginLimits.local(LoginLimitSettings.defaults().withWaiting(WAITING), time, GuardListener.NONE);
        return new Passwords(users, cache, permitted, new BcryptCheck(encoder), limits, waiting);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    /** The server's connection pool limits the calls of the database, and permits limit the hashes. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    /**
     * Compares the password with the stored hash. Abstains from unknown names, and from passwords of more than
     * {@value #LONGEST_PASSWORD} characters.
     *
     * @throws AuthUnavailableException if a limit rejects the login, there are too many hashes, or the database does
     *     not answer. The exception says nothing about the password
     */
    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        String username = login.username();
        boolean canBeRight = login.password().length() <= LONGEST_PASSWORD && Subject.isId(username);
        Optional<String> stored = canBeRight ? users.storedHash(username) : Optional.empty();
        if (stored.isEmpty()) {
            return Decision.abstained();
        }
        String hash = stored.get();
        boolean matches = login.password()
                .<Boolean>withText(password -> mayRecall(hash)
                        ? check.matches(password.toString(), hash)
                        : check.matchesAnew(password.toString(), hash));
        return matches
                ? Authenticated.as(Subject.of(username)).withStamp(Secret.of(hash))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    /** Computes a hash, as for a wrong password. */
    @Override
    public void unrecognized(PasswordCredentials login) {
        boolean unused = login.password().<Boolean>withText(password -> check.matches(password.toString(), null));
    }

    /**
     * Whether the database has a user with this name.
     *
     * @throws AuthUnavailableException if the database does not answer
     */
    boolean hasUser(String username) {
        return users.storedHash(username).isPresent();
    }

    /** The limits on failed logins, for the chain with this source. */
    LoginLimitGate limits() {
        return limited;
    }

    /** The cache of verified passwords; null without a cache. */
    @Nullable
    CredentialCache cache() {
        return cache;
    }

    /**
     * True for a client that has shown the right password before. For other clients, true only while a hash would start
     * at once, as for a wrong password.
     */
    private boolean mayRecall(String storedHash) {
        return limited.requireFound(storedHash) || permitted.beginsAtOnce();
    }

    /** Whether this thread's client is known for this account. */
    boolean isFromKnownClient(String username) {
        return limits.knows(username, CurrentCall.currentSource());
    }

    /** Whether a hash would start at once. */
    boolean beginsAtOnce() {
        return permitted.beginsAtOnce();
    }

    /** The number of threads that wait for a hash or for other logins. */
    int waiting() {
        return waiting.waiting();
    }

    @Override
    public void close() {
        if (cache != null) {
            cache.close();
        }
    }
}
