package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthPluginException;
import org.jspecify.annotations.Nullable;

/** The exceptions of undecided logins and permissions. Other code may wrap them. */
final class Undecided {

    private Undecided() {}

    /**
     * The exception of an undecided question, which is the failure itself or one of its causes.
     *
     * @return an {@link AuthUnavailableException} or an {@link AuthPluginException}; null for other failures
     */
    static @Nullable RuntimeException reasonIn(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthUnavailableException || cause instanceof AuthPluginException) {
                return (RuntimeException) cause;
            }
        }
        return null;
    }
}
