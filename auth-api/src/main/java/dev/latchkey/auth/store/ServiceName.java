package dev.latchkey.auth.store;

import java.util.Objects;

/**
 * The owner of sessions and revocations in a shared Redis or database. Services with different names do not find, list
 * or end each other's entries. All nodes of a service have the same name, and so have services that accept each other's
 * tokens.
 *
 * @param value 1 to {@value #LONGEST} ASCII letters, digits, {@code .}, {@code _} and {@code -}; case-sensitive
 */
public record ServiceName(String value) {

    /** The greatest length, in characters. */
    public static final int LONGEST = 100;

    /**
     * Checks the name, because keys and rows contain the name without escapes.
     *
     * @param value 1 to {@value #LONGEST} ASCII letters, digits, {@code .}, {@code _} and {@code -}; case-sensitive
     * @throws IllegalArgumentException if the name is empty, longer, or has other characters
     */
    public ServiceName {
        Objects.requireNonNull(value, "value");
        if (!isName(value)) {
            throw new IllegalArgumentException(
                    "The name of a service has 1 to " + LONGEST + " letters, digits, dots, underscores and hyphens");
        }
    }

    /**
     * Whether this text can be a name.
     *
     * @param text any text
     * @return {@code false} if the text is empty, longer than {@value #LONGEST} characters, or has other characters
     */
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9._-]{1," + LONGEST + "}");
    }

    @Override
    public String toString() {
        return value;
    }
}
