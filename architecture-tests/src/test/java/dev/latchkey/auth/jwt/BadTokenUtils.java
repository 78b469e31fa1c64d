package dev.latchkey.auth.jwt;

/** Breaks the rules on names and on locales on purpose. */
public final class BadTokenUtils {

    static String text(int number) {
        return String.format("%d", number) + "%d".formatted(number);
    }

    /** Named after the mechanism. */
    public static final class BadTokenImpl {}

    /** Named after the mechanism. */
    public static final class AbstractToken {}
}
