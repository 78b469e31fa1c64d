package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.function.Predicate;

/** A failure in a line for people: each exception with its causes, without stack traces. */
final class Causes {

    /** The greatest number of causes: deeper causes add nothing new, and the causes of an exception may form a cycle. */
    static final int MOST = 8;

    private static final int LONGEST_MESSAGE = 300;

    private Causes() {}

    /**
     * The class and the message of the exception, and of its first {@value #MOST} causes.
     *
     * @param isSecret whether a message contains a secret; the line then has the class without the message
     */
    static String of(Throwable failure, Predicate<String> isSecret) {
        StringBuilder text = new StringBuilder(failure.getClass().getName());
        appendMessage(": ", failure, isSecret, text);
        appendCauses(failure, isSecret, text);
        return text.toString();
    }

    /**
     * As {@link #of}, without the class of the first exception: this class belongs to the library and adds nothing. Without a
     * message, the line begins with "no reason is known".
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

    /** Leaves out a message with a secret, and a message that only repeats the cause: such an exception has no own message. */
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

    /** Excludes control characters, separators of lines and paragraphs, and characters that change the direction of writing. */
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
