package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthPluginException;
import org.jspecify.annotations.Nullable;

/** The exceptions of undecided logins and permissions. Other code may wrap them. */
final class Undecided {

    /** Causes may form a cycle. */
    private static final int DEEPEST = 64;

    private Undecided() {}

    /**
     * The exception of an undecided question, which is the failure itself or one of its causes.
     *
     * @return an {@link AuthUnavailableException} or an {@link AuthPluginException}; null for other failures
     */
    static @Nullable RuntimeException reasonIn(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof AuthUnavailableException || cause instanceof AuthPluginException) {
                return (RuntimeException) cause;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
