package dev.latchkey.auth;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * Bytes that never print, compare in constant time and can be wiped.
 *
 * <p>Text is held as UTF-8. Text that is not well-formed UTF-16 (a lone surrogate) is refused rather than replaced: a
 * replacement would make two different passwords equal.
 *
 * <p>Wiping is best effort, as the JVM may have copied the array; it shortens the time in which a heap dump shows the
 * secret. Equality is identity, so that nobody compares secrets in variable time by accident: use {@link #matches}.
 * Safe for use by any number of threads.
 */
public final class Secret implements AutoCloseable {

    private static final char LAST_OF_ASCII = 0x7F;
    private static final int MAX_UTF_8_BYTES_PER_CHAR = 3;

    private final byte[] bytes;
    private boolean wiped;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A copy of these bytes; the caller may wipe its own.
     *
     * @param bytes may be empty
     * @return a secret that nobody else can wipe
     */
    public static Secret of(byte[] bytes) {
        return new Secret(bytes.clone());
    }

    /**
     * The UTF-8 form of this text.
     *
     * @param text may be empty; it stays as it is, and whoever made it wipes it
     * @return a secret of the text's bytes
     * @throws IllegalArgumentException if the text has a lone surrogate, which UTF-8 cannot express (RFC 3629 section 3)
     */
    public static Secret of(CharSequence text) {
        Objects.requireNonNull(text, "text");
        // Tokens and most passwords are ASCII, which is UTF-8 as it stands.
        byte[] ascii = new byte[text.length()];
        for (int i = 0; i < ascii.length; i++) {
            char unit = text.charAt(i);
            if (unit > LAST_OF_ASCII) {
                Arrays.fill(ascii, (byte) 0);
                return encoded(text);
            }
            ascii[i] = (byte) unit;
        }
        return new Secret(ascii);
    }

    private static Secret encoded(CharSequence text) {
        ByteBuffer encoded = ByteBuffer.allocate(Math.multiplyExact(text.length(), MAX_UTF_8_BYTES_PER_CHAR));
        CoderResult result = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .encode(CharBuffer.wrap(text), encoded, true);
        byte[] exact = Arrays.copyOf(encoded.array(), encoded.position());
        Arrays.fill(encoded.array(), (byte) 0);
        if (result.isError()) {
            throw new IllegalArgumentException("A secret's text must be well-formed UTF-16; it has a lone surrogate");
        }
        return new Secret(exact);
    }

    /**
     * The number of bytes.
     *
     * @return zero or more; for a text its bytes in UTF-8 and not its characters
     */
    public int length() {
        return bytes.length;
    }

    /**
     * Lends a copy of the bytes to {@code use} and wipes the copy afterwards.
     *
     * @param <T> the type of the result
     * @param use must not keep the array, which has zeros afterwards
     * @return what {@code use} returned
     * @throws IllegalStateException if this secret was wiped
     */
    public <T> T withBytes(Function<? super byte[], ? extends T> use) {
        byte[] copy = copy();
        try {
            return use.apply(copy);
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    /**
     * Lends the text to {@code use}, for ports that ask for a {@link CharSequence}, and wipes the characters afterwards.
     *
     * <p>Bytes that are not UTF-8 become U+FFFD, so a secret that was not made from text is better used with
     * {@link #withBytes}.
     *
     * @param <T> the type of the result
     * @param use must not keep the text, which has zeros afterwards
     * @return what {@code use} returned
     * @throws IllegalStateException if this secret was wiped
     */
    public <T> T withText(Function<? super CharSequence, ? extends T> use) {
        return withBytes(copy -> {
            CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(copy));
            try {
                return use.apply(text);
            } finally {
                Arrays.fill(text.array(), '\0');
            }
        });
    }

    /**
     * Whether both hold the same bytes, found in a time that does not depend on where they differ.
     *
     * @param other of any length
     * @return {@code false} as well where their lengths differ, which takes less time
     * @throws IllegalStateException if either was wiped
     */
    public boolean matches(Secret other) {
        return withBytes(mine -> other.withBytes(theirs -> MessageDigest.isEqual(mine, theirs)));
    }

    /** Overwrites the bytes; any later use is an {@link IllegalStateException}. Wiping twice is the same as once. */
    @Override
    public synchronized void close() {
        Arrays.fill(bytes, (byte) 0);
        wiped = true;
    }

    private synchronized byte[] copy() {
        if (wiped) {
            throw new IllegalStateException("The secret was wiped");
        }
        return bytes.clone();
    }

    /** Says only that this is a secret: not its length either, which tells how hard it is to guess. */
    @Override
    public String toString() {
        return "Secret[****]";
    }
}
