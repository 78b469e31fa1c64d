package dev.latchkey.auth.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/** The form of a {@link StoredLogin}'s values in a store outside this process. Safe for use by any number of threads. */
public final class LoginValues {

    /** The capacity of the columns in each database. */
    private static final int MOST_BYTES = 65_535;

    private LoginValues() {}

    /**
     * The bytes of a text. Strict, because the returned text must equal the stored text.
     *
     * @param text of a session
     * @return in UTF-8, at most 65,535 bytes
     * @throws IllegalArgumentException if the text is longer, or has half of a surrogate pair
     */
    public static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            if (bytes.remaining() > MOST_BYTES) {
                throw new IllegalArgumentException("A text of a login has at most " + MOST_BYTES
                        + " bytes, and this one has " + bytes.remaining());
            }
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "A login must consist of text, and this one has one half of a surrogate pair");
        }
    }

    /**
     * The text of a session's methods.
     *
     * @param methods {@link StoredLogin#methods()}; no method contains a space
     * @return in alphabetical order, with a space between two methods
     */
    public static String textOf(Set<String> methods) {
        return String.join(" ", new TreeSet<>(methods));
    }

    /**
     * The methods in a text of {@link #textOf}.
     *
     * @param text as stored
     * @return immutable; empty for an empty text
     * @throws IllegalArgumentException if the text has a method twice
     */
    public static Set<String> methods(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }

    /**
     * The milliseconds of a time. A session without an end ends with the last possible millisecond.
     *
     * @param time of a session
     * @return since 1970; the nearest {@code long}
     */
    public static long millis(Instant time) {
        try {
            return time.toEpochMilli();
        } catch (ArithmeticException e) {
            return time.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
    }
}
