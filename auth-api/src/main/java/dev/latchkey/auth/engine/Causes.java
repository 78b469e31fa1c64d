package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.function.Predicate;

/** What went wrong, in a line for people: each exception with its causes, without stack traces. */
final class Causes {

    /** Deeper causes than this say nothing new; a circle of them would never end. */
    private static final int MOST = 8;

    private static final int LONGEST_MESSAGE = 200;

    private Causes() {}

    /**
     * The class and the message of this and of all that caused it.
     *
     * @param isSecret whether a message holds what nobody may read; of such a one the class alone is named
     */
    static String of(Throwable failure, Predicate<String> isSecret) {
        StringBuilder text = new StringBuilder(failure.getClass().getName());
        appendMessage(": ", failure, isSecret, text);
        appendCauses(failure, isSecret, text);
        return text.toString();
    }

    /** As {@link #of}, but of the first one the message alone, if there is one: its class is this library's and says nothing. */
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

    /** One that only repeats its cause, as exceptions without a message of their own do, is left out. */
    private static void appendMessage(
            String before, Throwable failure, Predicate<String> isSecret, StringBuilder text) {
        String message = failure.getMessage();
        Throwable cause = failure.getCause();
        boolean repeats = message != null && cause != null && message.equals(cause.toString());
        if (message != null && !repeats && !isSecret.test(message)) {
            text.append(before).append(onOneLine(message));
        }
    }

    /** A message may hold what a stranger sent, line breaks among it. */
    private static String onOneLine(String message) {
        String cut = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "..." : message;
        StringBuilder line = new StringBuilder(cut.length());
        cut.codePoints().map(c -> isPrinted(c) ? c : ' ').forEach(line::appendCodePoint);
        return line.toString();
    }

    /** Line and paragraph separators, and what turns the direction of writing, are neither. */
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
