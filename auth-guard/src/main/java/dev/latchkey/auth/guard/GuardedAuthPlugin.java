package dev.latchkey.auth.guard;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A plugin whose passwords are checked only past the guard; credentials of other kinds go straight to it.
 *
 * <p>In the order that costs least: the shape of what was sent, then what is known already ({@link #withHits}), then the
 * limits, then a place in the pool, then the plugin, on a thread of the pool.
 *
 * <p>Where a request comes from is an argument, not a property of credentials or threads: the web layer calls
 * {@link #authenticate(PasswordCredentials, ClientSource)}, or runs a whole chain through {@link LoginGuard#authenticate},
 * inside which this plugin lets pass. A caller that goes another way, by {@link #authenticate(Credentials)}, is limited
 * all the same, by the account alone, and waits for the answer.
 *
 * <p>Safe for use by any number of threads if the plugin is. Closes the plugin, not the guard.
 */
public final class GuardedAuthPlugin implements AuthPlugin {

    /** The longest address of electronic mail, RFC 5321 section 4.5.3.1: 64 before the sign, 255 after. */
    static final int MAX_ACCOUNT_LENGTH = 320;

    static final int MAX_PASSWORD_BYTES = 4096;

    private final AuthPlugin plugin;
    private final LoginGuard guard;
    private final long memoryBytes;
    private final Function<? super PasswordCredentials, Optional<Authenticated>> hits;

    private GuardedAuthPlugin(
            AuthPlugin plugin,
            LoginGuard guard,
            long memoryBytes,
            Function<? super PasswordCredentials, Optional<Authenticated>> hits) {
        this.plugin = Objects.requireNonNull(plugin, "plugin");
        this.guard = Objects.requireNonNull(guard, "guard");
        this.memoryBytes = memoryBytes;
        this.hits = Objects.requireNonNull(hits, "hits");
    }

    public static GuardedAuthPlugin of(AuthPlugin plugin, LoginGuard guard) {
        return new GuardedAuthPlugin(plugin, guard, 0, credentials -> Optional.empty());
    }

    /**
     * With the memory that one of the plugin's hashes allocates.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public GuardedAuthPlugin withMemoryBytes(long memoryBytes) {
        return new GuardedAuthPlugin(
                plugin, guard, HashDemand.ofMemory(memoryBytes).memoryBytes(), hits);
    }

    /**
     * With a look-up of credentials that are known to be good without a hash; asked on the calling thread, before any limit.
     * What it answers is the verdict.
     */
    public GuardedAuthPlugin withHits(Function<? super PasswordCredentials, Optional<Authenticated>> hits) {
        return new GuardedAuthPlugin(plugin, guard, memoryBytes, hits);
    }

    @Override
    public String name() {
        return plugin.name();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Passwords are limited by their account alone, as from {@link ClientSource#UNKNOWN}.
     */
    @Override
    public Decision authenticate(Credentials credentials) {
        if (!(credentials instanceof PasswordCredentials password)
                || guard.pool().runsHere()) {
            return plugin.authenticate(credentials);
        }
        try {
            return Stages.await(authenticate(password, ClientSource.UNKNOWN));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("The plugin '" + name() + "' threw an exception that it cannot declare", e);
        }
    }

    /**
     * Decides about a password from this source. No thread waits meanwhile.
     *
     * @return as {@link LoginGuard#submit}
     */
    public CompletableFuture<Decision> authenticate(PasswordCredentials credentials, ClientSource source) {
        if (credentials.username().length() > MAX_ACCOUNT_LENGTH
                || credentials.password().length() > MAX_PASSWORD_BYTES) {
            return CompletableFuture.completedFuture(Rejected.because(RejectionReason.MALFORMED));
        }
        Optional<Authenticated> hit = hits.apply(credentials);
        if (hit.isPresent()) {
            return CompletableFuture.completedFuture(hit.get());
        }
        LoginAttempt attempt = new LoginAttempt(credentials.username(), source);
        return guard.submit(attempt, memoryBytes, () -> plugin.authenticate(credentials), LoginGuard::resultOf);
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        return plugin.authorize(subject, permission);
    }

    @Override
    public boolean revoke(Credentials credentials) {
        return plugin.revoke(credentials);
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        return plugin.revokeAll(subjectId, notBefore);
    }

    @Override
    public Optional<Account> account(String name) {
        return plugin.account(name);
    }

    @Override
    public Optional<Credentials> read(HeaderFields headers) {
        return plugin.read(headers);
    }

    @Override
    public void close() {
        plugin.close();
    }
}
