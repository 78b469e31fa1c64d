package dev.latchkey.auth.engine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a plugin's exception in a log, if a message of the exception or of its causes contains a secret. Keeps the
 * classes, the stack traces and the other messages. Omits suppressed exceptions.
 */
final class LoggedFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final String shown;

    private LoggedFailure(Throwable failure, Predicate<String> isSecret, int mostCauses) {
        super(null, causeOf(failure, isSecret, mostCauses));
        this.shown = shown(failure, isSecret);
        setStackTrace(failure.getStackTrace());
    }

    /** The exception itself if its stack trace contains no secret, otherwise the replacement. */
    static Throwable of(Throwable failure, Predicate<String> isSecret) {
        return hasSecret(failure, isSecret) ? new LoggedFailure(failure, isSecret, Causes.MOST) : failure;
    }

    /** Checks the text that a log would write. */
    private static boolean hasSecret(Throwable failure, Predicate<String> isSecret) {
        StringWriter written = new StringWriter();
        try {
            failure.printStackTrace(new PrintWriter(written));
        } catch (RuntimeException e) {
            // An exception that cannot be printed counts as secret.
            return true;
        }
        return isSecret.test(written.toString());
    }

    private static @Nullable Throwable causeOf(Throwable failure, Predicate<String> isSecret, int mostCauses) {
        Throwable cause = failure.getCause();
        return cause == null || mostCauses == 0 ? null : new LoggedFailure(cause, isSecret, mostCauses - 1);
    }

    private static String shown(Throwable failure, Predicate<String> isSecret) {
        String name = failure.getClass().getName();
        String message;
        try {
            message = failure.getMessage();
        } catch (RuntimeException e) {
            // The plugin's exception overrides getMessage(), and the override fails.
            return name;
        }
        return message == null
                ? name
                : name + (isSecret.test(message) ? " (message left out: it may contain a secret)" : ": " + message);
    }

    /** The class and the message of the plugin's exception. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the log must not show this class
    public String toString() {
        return shown;
    }
}
