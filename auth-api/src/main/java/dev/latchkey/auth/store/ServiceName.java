package dev.latchkey.auth.store;

import java.util.Objects;

/**
 * The service that sessions and revocations belong to. Services may share a Redis or a database: under different names none of them finds, lists or
 * ends what is another's. Services that accept each other's tokens have one name, and so have all nodes of a service.
 *
 * @param value letters, digits, {@code .}, {@code _} and {@code -} of ASCII, {@value #LONGEST} of them at most; upper and lower case differ
 */
public record ServiceName(String value) {

    /** The longest name, in characters. */
    public static final int LONGEST = 100;

    /**
     * A name that is part of keys and rows as it is.
     *
     * @param value letters, digits, {@code .}, {@code _} and {@code -} of ASCII, {@value #LONGEST} of them at most; upper and lower case differ
     * @throws IllegalArgumentException if it is empty, longer, or has other characters
     */
    public ServiceName {
        Objects.requireNonNull(value, "value");
        if (!isName(value)) {
            throw new IllegalArgumentException(
                    "The name of a service has 1 to " + LONGEST + " letters, digits, dots, underscores and hyphens");
        }
    }

    /**
     * Whether this may be a name.
     *
     * @param text any text
     * @return {@code false} where it is empty, longer than {@value #LONGEST} characters, or has others than the ones above
     */
    public static boolean isName(String text) {
        return text.matches("[A-Za-z0-9._-]{1," + LONGEST + "}");
    }

    @Override
    public String toString() {
        return value;
    }
}
