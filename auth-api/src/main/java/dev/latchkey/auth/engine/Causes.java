package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.function.Predicate;

/** A failure in a line for people: each exception with its causes, without stack traces. */
final class Causes {

    /** The bound of the causes: deeper causes add nothing new, and a cycle would never end. */
    static final int MOST = 8;

    private static final int LONGEST_MESSAGE = 300;

    private Causes() {}

    /**
     * The class and the message of the exception and of all its causes.
     *
     * @param isSecret whether a message contains a secret; then only the class is named
     */
    static String of(Throwable failure, Predicate<String> isSecret) {
        StringBuilder text = new StringBuilder(failure.getClass().getName());
        appendMessage(": ", failure, isSecret, text);
        appendCauses(failure, isSecret, text);
        return text.toString();
    }

    /**
     * As {@link #of}, but only the message of the first exception, if present: the class belongs to this library and adds
     * nothing.
     */
    static String ofOwn(AuthUnavailableException failure, Predicate<String> isSecret) {
        StringBuilder text = new StringBuilder();
        appendMessage("", failure, isSecret, text);
        if (text.isEmpty()) {
            text.append("no reason is known");
        }
        appendCauses(failure, isSecret, text);
        return text.toString();
    }

    private static void appendCauses(Throwable failure, Predicate<String> isSecret, StringBuilder text) {
        Throwable cause = failure.getCause();
        for (int i = 0; i < MOST && cause != null; i++) {
            text.append(", caused by ").append(cause.getClass().getName());
            appendMessage(": ", cause, isSecret, text);
            cause = cause.getCause();
        }
    }

    /** Leaves out a message that repeats the cause, as in exceptions without a message of their own. */
    private static void appendMessage(
            String before, Throwable failure, Predicate<String> isSecret, StringBuilder text) {
        String message = failure.getMessage();
        Throwable cause = failure.getCause();
        boolean repeats = message != null && cause != null && message.equals(cause.toString());
        if (message != null && !repeats && !isSecret.test(message)) {
            text.append(before).append(onOneLine(message));
        }
    }

    /** A message may contain text from a client, with line breaks. */
    private static String onOneLine(String message) {
        String cut = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "..." : message;
        StringBuilder line = new StringBuilder(cut.length());
        cut.codePoints().map(c -> isPrinted(c) ? c : ' ').forEach(line::appendCodePoint);
        return line.toString();
    }

    /** Excludes line and paragraph separators, and characters that change the direction of writing. */
    private static boolean isPrinted(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
