package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.nacos.settings.NacosSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Decides logins with a name and a password: first the limits, then the database, then the cache, then a hash.
 *
 * <p>The database is asked each time, so that a changed password or a deleted user is rejected at once on every node.
 * Safe for use by any number of threads.
 */
final class Passwords implements AutoCloseable {

    /** bcrypt reads 72 bytes; far longer passwords are not worth memory. */
    private static final int LONGEST_PASSWORD = 4_096;

    /** A client, and a server thread with the client, waits some seconds for a login. */
    private static final LoginLimitSettings.Waiting WAITING =
            new LoginLimitSettings.Waiting(Duration.ofSeconds(3), 256, 10_000);

    private final StoredUsers users;
    private final @Nullable CredentialCache cache;
    private final PermittedEncoder permitted;
    private final BcryptCheck check;
    private final LoginLimits limits;
    private final LimitedLogins limited;
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
        this.limited = new LimitedLogins(limits, waiting, CurrentCall::currentSource);
        this.waiting = waiting;
    }

    /**
     * Creates the decision with these limits.
     *
     * @param hashing computes the hash for the comparison
     * @param mostWaiting the number of threads that wait for a hash or for other logins
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

    /**
     * The user's stored hash if the password is right; empty for an unknown user or a wrong password.
     *
     * @throws AuthUnavailableException if a limit rejects the login, there are too many hashes, or the database does
     *     not answer. The exception says nothing about the password
     */
    Optional<String> hashMatching(String username, String password) {
        Reservation login = limited.begin(username, password);
        AttemptResult result = AttemptResult.FAILED;
        try {
            Optional<String> stored =
                    password.length() > LONGEST_PASSWORD ? Optional.empty() : users.storedHash(username);
            boolean mayRecall = stored.isEmpty() || mayRecall(stored.get());
            boolean matches = mayRecall
                    ? check.matches(password, stored.orElse(null))
                    : check.matchesAnew(password, stored.get());
            result = matches ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
            return matches ? stored : Optional.empty();
        } catch (AuthUnavailableException e) {
            result = LimitedLogins.resultOf(e);
            throw e;
        } finally {
            if (login != null) {
                limited.end(login, result, password);
            }
        }
    }

    /**
     * True for a client that has shown the right password before. For other clients, true only while a hash would start
     * at once, as for a wrong password.
     */
    private boolean mayRecall(String storedHash) {
        return limited.requireFound(storedHash) || permitted.beginsAtOnce();
    }

    /** Whether this thread's client is known for this account. */
    boolean isFromKnownPlace(String username) {
        return limits.knows(username, CurrentCall.currentSource());
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
