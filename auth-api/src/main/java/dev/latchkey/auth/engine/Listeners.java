package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Tells an {@link AuthChain}'s listeners what came of a question. One that fails, be it with an exception or an error, is
 * logged, and changes nothing: neither for the others nor for the answer.
 *
 * <p>Where nobody listens, no event is made. Times are given as the {@link System#nanoTime} at which the question began.
 */
final class Listeners {

    static final Listeners NONE = new Listeners(List.of());

    /** Under the chain's name, which is the one that is known outside. */
    private static final Logger LOG = System.getLogger(AuthChain.class.getName());

    private final List<AuthListener> listeners;

    private Listeners(List<AuthListener> listeners) {
        this.listeners = listeners;
    }

    Listeners and(AuthListener listener) {
        List<AuthListener> more = new ArrayList<>(listeners);
        more.add(Objects.requireNonNull(listener));
        return new Listeners(List.copyOf(more));
    }

    Listeners each(UnaryOperator<AuthListener> replacement) {
        return new Listeners(listeners.stream().map(replacement).toList());
    }

    /** Begins a check with each listener. One whose {@code begin} throws gets the outcome itself, as if it had no {@code begin}. */
    Listeners begin(Class<? extends Credentials> kind) {
        if (listeners.isEmpty()) {
            return this;
        }
        List<AuthListener> told = new ArrayList<>(listeners.size());
        for (AuthListener listener : listeners) {
            AuthListener begun = listener;
            try {
                begun = Objects.requireNonNull(listener.begin(kind), "begin answered null");
            } catch (RuntimeException | Error e) {
                logFailure(listener.getClass(), e);
            }
            told.add(begun);
        }
        return new Listeners(told);
    }

    void decided(String plugin, Credentials credentials, Verdict verdict, long start) {
        if (!listeners.isEmpty()) {
            tell(new AuthEvent.Decided(
                    plugin, credentials.getClass(), accountOf(credentials), withoutSecret(verdict), since(start)));
        }
    }

    private static Verdict withoutSecret(Verdict verdict) {
        if (verdict instanceof Challenged challenged) {
            return challenged.withoutSecrets();
        }
        return verdict instanceof Authenticated authenticated ? authenticated.withoutStamp() : verdict;
    }

    /** The plugin gave no verdict, for this reason. */
    void undecided(String plugin, Credentials credentials, Throwable reason, long start) {
        if (!listeners.isEmpty()) {
            tell(eventOf(plugin, credentials.getClass(), accountOf(credentials), reason, since(start)));
        }
    }

    /** The plugin did not say whether it wants another step of this account, whose password is right. */
    void stepUndecided(String plugin, String account, Throwable reason, long start) {
        if (!listeners.isEmpty()) {
            tell(eventOf(plugin, PasswordCredentials.class, account, reason, since(start)));
        }
    }

    private static AuthEvent eventOf(
            String plugin, Class<? extends Credentials> kind, String account, Throwable reason, Duration elapsed) {
        if (reason instanceof AuthUnavailableException unavailable) {
            return new AuthEvent.Unavailable(plugin, kind, account, unavailable.kind(), elapsed);
        }
        return new AuthEvent.Failed(plugin, kind, account, elapsed);
    }

    void accessDecided(String plugin, Subject subject, Permission permission, boolean granted) {
        if (!listeners.isEmpty()) {
            tell(new AuthEvent.AccessDecided(plugin, subject, permission, granted));
        }
    }

    /** The plugin said nothing, for this reason. */
    void accessUndecided(String plugin, Subject subject, Permission permission, Throwable reason) {
        if (!listeners.isEmpty()) {
            tell(
                    reason instanceof AuthUnavailableException unavailable
                            ? new AuthEvent.AccessUnavailable(plugin, subject, permission, unavailable.kind())
                            : new AuthEvent.AccessFailed(plugin, subject, permission));
        }
    }

    void revoked(Credentials credentials) {
        tell(new AuthEvent.Revoked(credentials.getClass()));
    }

    void subjectRevoked(String subjectId) {
        tell(new AuthEvent.SubjectRevoked(subjectId));
    }

    private void tell(AuthEvent event) {
        for (AuthListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException | Error e) {
                logFailure(listener.getClass(), e);
            }
        }
    }

    /** Where even that fails, for want of memory or of stack, the answer counts for more than the log. */
    private static void logFailure(Class<?> failed, Throwable failure) {
        try {
            LOG.log(Level.WARNING, failed.getName() + " failed while listeners were told", failure);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /** Credentials are somebody else's code, too. */
    static String accountOf(Credentials credentials) {
        try {
            return credentials.account().orElse("");
        } catch (RuntimeException | Error e) {
            logFailure(credentials.getClass(), e);
            return "";
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
