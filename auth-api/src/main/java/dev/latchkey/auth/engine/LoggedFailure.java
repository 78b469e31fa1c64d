package dev.latchkey.auth.engine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a log for a plugin's exception with a secret in its message, or in a message of its causes. Has the classes, the stack
 * traces and the other messages. Suppressed exceptions are left out.
 */
final class LoggedFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final String shown;

    private LoggedFailure(Throwable failure, Predicate<String> isSecret, int mostCauses) {
        super(null, causeOf(failure, isSecret, mostCauses));
        this.shown = shown(failure, isSecret);
        setStackTrace(failure.getStackTrace());
    }

    /** The same exception, if its stack trace contains no secret. */
    static Throwable of(Throwable failure, Predicate<String> isSecret) {
        return hasSecret(failure, isSecret) ? new LoggedFailure(failure, isSecret, Causes.MOST) : failure;
    }

    /** Reads what a log would write. */
    private static boolean hasSecret(Throwable failure, Predicate<String> isSecret) {
        StringWriter written = new StringWriter();
        try {
            failure.printStackTrace(new PrintWriter(written));
        } catch (RuntimeException e) {
            // The plugin's exception cannot be written.
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
            // The plugin's exception has a method of its own, which fails.
            return name;
        }
        return message == null
                ? name
                : name + (isSecret.test(message) ? " (message left out: it may contain a secret)" : ": " + message);
    }

    /** As the plugin's exception. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // this class has no place in the log
    public String toString() {
        return shown;
    }
}
