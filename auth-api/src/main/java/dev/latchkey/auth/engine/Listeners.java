package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.permission.Permission;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Calls an {@link AuthChain}'s listeners with the outcome of a question. An exception or error of a listener is logged, and
 * changes neither the answer nor the calls of other listeners.
 *
 * <p>Without listeners, no event is created. Times are the {@link System#nanoTime} at the start of the question.
 */
final class Listeners {

    static final Listeners NONE = new Listeners(List.of());

    /** The chain's name, because this name is public. */
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

    /**
     * Begins a check with each listener. If {@code begin} throws, the listener itself gets the outcome, as if {@code begin} were
     * not overridden.
     */
    Listeners begin(Class<? extends Credentials> kind) {
        if (listeners.isEmpty()) {
            return this;
        }
        List<AuthListener> begunListeners = new ArrayList<>(listeners.size());
        for (AuthListener listener : listeners) {
            AuthListener begun = listener;
            try {
                begun = Objects.requireNonNull(listener.begin(kind), "begin answered null");
            } catch (RuntimeException | Error e) {
                logFailure(listener.getClass(), e);
            }
            begunListeners.add(begun);
        }
        return new Listeners(begunListeners);
    }

    void decided(String plugin, Credentials credentials, Verdict verdict, long start) {
        if (verdict instanceof Rejected rejected) {
            log(plugin, credentials.getClass(), rejected);
        }
        if (!listeners.isEmpty()) {
            tell(new AuthEvent.Decided(
                    plugin, credentials.getClass(), accountOf(credentials), withoutSecret(verdict), since(start)));
        }
    }

    /** Only codes: the account may be a password in the wrong field. */
    private static void log(String plugin, Class<?> kind, Rejected rejected) {
        if (LOG.isLoggable(Level.DEBUG)) {
            LOG.log(
                    Level.DEBUG,
                    "Rejected by {0}: {1}, {2}, {3}",
                    plugin.isEmpty() ? "no plugin" : plugin,
                    kind.getSimpleName(),
                    rejected.reason().code(),
                    rejected.detail().isEmpty() ? "no detail" : rejected.detail());
        }
    }

    private static Verdict withoutSecret(Verdict verdict) {
        if (verdict instanceof Challenged challenged) {
            return challenged.withoutSecrets();
        }
        return verdict instanceof Authenticated authenticated ? authenticated.withoutSecrets() : verdict;
    }

    /** The plugin gave no verdict, for this reason. */
    void undecided(String plugin, Credentials credentials, Throwable reason, long start) {
        if (!listeners.isEmpty()) {
            tell(eventOf(plugin, credentials.getClass(), accountOf(credentials), reason, since(start)));
        }
    }

    /** The plugin could not decide about another step of this account with a right password. */
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

    /** The plugin gave no answer, for this reason. */
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

    void tell(AuthEvent event) {
        for (AuthListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException | Error e) {
                logFailure(listener.getClass(), e);
            }
        }
    }

    /** If even logging fails, for want of memory or of stack, the answer matters more than the log. */
    private static void logFailure(Class<?> failed, Throwable failure) {
        try {
            LOG.log(Level.WARNING, failed.getName() + " failed while listeners were told", failure);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /** Credentials may be foreign code, too. */
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
