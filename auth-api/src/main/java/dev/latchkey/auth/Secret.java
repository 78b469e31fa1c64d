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
 * Secret bytes: never printed, compared in constant time, and possible to wipe.
 *
 * <p>Text is held as UTF-8. Text with malformed UTF-16 (a lone surrogate) is rejected: with a replacement character two
 * different passwords would be equal.
 *
 * <p>Wiping is best effort, because the JVM may have copied the array. Wiping shortens the time with the secret in a
 * heap dump. Equality is identity, so no code compares secrets in variable time by accident: use {@link #matches}. Safe
 * for use by any number of threads.
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
     * A copy of these bytes; the caller may wipe its own bytes.
     *
     * @param bytes may be empty
     * @return a secret with a private copy
     */
    public static Secret of(byte[] bytes) {
        return new Secret(bytes.clone());
    }

    /**
     * The UTF-8 form of this text.
     *
     * @param text may be empty; stays unchanged, and the caller wipes the text
     * @return a secret with the text's bytes
     * @throws IllegalArgumentException if the text has a lone surrogate, because UTF-8 cannot express a surrogate (RFC
     *     3629 section 3)
     */
    public static Secret of(CharSequence text) {
        Objects.requireNonNull(text, "text");
        // Tokens and most passwords are ASCII, and ASCII is valid UTF-8.
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
     * @return zero or more; for a text the number of UTF-8 bytes, not of characters
     */
    public int length() {
        return bytes.length;
    }

    /**
     * Passes a copy of the bytes to {@code use} and wipes the copy afterwards.
     *
     * @param <T> the type of the result
     * @param use must not keep the array: the array contains only zeros afterwards
     * @return the result of {@code use}
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
     * Passes the text to {@code use}, for interfaces with a {@link CharSequence}, and wipes the characters afterwards.
     *
     * <p>Bytes outside UTF-8 become U+FFFD, so use {@link #withBytes} for a secret made from bytes.
     *
     * @param <T> the type of the result
     * @param use must not keep the text: the text contains only zeros afterwards
     * @return the result of {@code use}
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
     * Whether both hold the same bytes. The time does not depend on the position of a difference.
     *
     * @param other of any length
     * @return {@code false} for another length, and in less time
     * @throws IllegalStateException if a secret was wiped
     */
    public boolean matches(Secret other) {
        return withBytes(mine -> other.withBytes(theirs -> MessageDigest.isEqual(mine, theirs)));
    }

    /** Overwrites the bytes. Any later use is an {@link IllegalStateException}. A second call does nothing. */
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

    /** Prints no length either, because a length shows the difficulty of a guess. */
    @Override
    public String toString() {
        return "Secret[****]";
    }
}
