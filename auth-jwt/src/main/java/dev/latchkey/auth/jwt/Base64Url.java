package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Base64url without padding (RFC 4648 section 5, RFC 7515 appendix C). Each byte sequence has exactly one accepted
 * form.
 *
 * <p>Works between the caller's arrays; only {@link #encoded} allocates. {@code java.util.Base64} accepts several
 * spellings of the same bytes: with or without padding, and any unused bits in the last character. On some builds, the
 * JDK's vectorised decoder wrote out of bounds (JDK-8392044). This class accepts one spelling and has no native code.
 */
final class Base64Url {

    /** The result of {@link #decode} for text that is not Base64url; no length is negative. */
    static final int NOT_BASE64URL = -1;

    /** Reads eight bytes at once, the first byte in the highest place. */
    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    // Six bytes are a word of eight characters: the upper 48 bits of a long.
    private static final int WORD_BYTES = 6;
    private static final int WORD_CHARACTERS = 8;
    private static final int UNUSED_BITS = 16;

    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);

    /**
     * The value of each character, and -1 for all other bytes. After shifting and joining, one bad character keeps the
     * result negative.
     */
    private static final int[] VALUES = valuesShifted(0);

    // The same values for the other places in a group of four.
    private static final int[] THIRD = valuesShifted(6);
    private static final int[] SECOND = valuesShifted(12);
    private static final int[] FIRST = valuesShifted(18);

    /** The two characters for each twelve bits. This table of 8 KB halves the number of steps. */
    private static final short[] PAIRS = pairs();

    private Base64Url() {}

    private static short[] pairs() {
        short[] pairs = new short[1 << 12];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = (short) (ALPHABET[i >> 6] << Byte.SIZE | ALPHABET[i & 0x3f]);
        }
        return pairs;
    }

    private static int[] valuesShifted(int bits) {
        int[] values = new int[256];
        Arrays.fill(values, -1);
        for (int i = 0; i < ALPHABET.length; i++) {
            values[ALPHABET[i]] = i << bits;
        }
        return values;
    }

    static int encodedLength(int bytes) {
        return (bytes * 4 + 2) / 3;
    }

    /** An upper bound; exact for text that decodes. */
    static int decodedLength(int characters) {
        return characters * 3 / 4;
    }

    /**
     * Encodes {@code length} bytes of {@code from} and returns the end of the text in {@code to}. Both arrays need
     * eight more bytes. The bytes after the text are overwritten.
     */
    static int encode(byte[] from, int length, byte[] to, int at) {
        int words = length / WORD_BYTES;
        for (int i = 0; i < words; i++) {
            BYTES.set(to, at + i * WORD_CHARACTERS, textOf((long) BYTES.get(from, i * WORD_BYTES)));
        }
        int rest = length - words * WORD_BYTES;
        if (rest > 0) {
            long last = (long) BYTES.get(from, words * WORD_BYTES) & ~(-1L >>> (Byte.SIZE * rest));
            BYTES.set(to, at + words * WORD_CHARACTERS, textOf(last));
        }
        return at + encodedLength(length);
    }

    /** Encodes the bytes into a new array. */
    static byte[] encoded(byte[] bytes) {
        byte[] text = new byte[encodedLength(bytes.length) + Long.BYTES];
        return Arrays.copyOf(text, encode(Arrays.copyOf(bytes, bytes.length + Long.BYTES), bytes.length, text, 0));
    }

    /** The eight characters of the upper 48 bits. */
    private static long textOf(long bits) {
        return (long) PAIRS[(int) (bits >>> 52)] << 48
                | (long) PAIRS[(int) (bits >>> 40) & 0xfff] << 32
                | (long) PAIRS[(int) (bits >>> 28) & 0xfff] << 16
                | PAIRS[(int) (bits >>> 16) & 0xfff];
    }

    /**
     * Whether the text at this place is the encoding of the first {@code length} bytes of {@code from}. The time
     * depends only on the length and on the text, and the sender knows both. The time never depends on the bytes. The
     * text is decoded, so that the bytes never select a cache line of a table. No comparison ends early.
     *
     * <p>The array needs eight more bytes after the compared bytes.
     */
    static boolean isEncodedAt(byte[] text, int at, byte[] from, int length) {
        long difference = 0;
        int words = length / WORD_BYTES;
        for (int i = 0; i < words; i++) {
            difference |=
                    wordAt(text, at + i * WORD_CHARACTERS) ^ (long) BYTES.get(from, i * WORD_BYTES) >>> UNUSED_BITS;
        }
        int next = words * WORD_BYTES;
        int index = at + words * WORD_CHARACTERS;
        int characters = encodedLength(length - next);
        long bits = 0;
        for (int i = 0; i < characters; i++) {
            bits = bits << 6 | VALUES[text[index + i] & 0xff];
        }
        // A mask removes the bytes after the compared bytes. The unused bits of the last character must be zero.
        int unused = UNUSED_BITS + 6 * (WORD_CHARACTERS - characters);
        long expected = ((long) BYTES.get(from, next) & ~(-1L >>> (Byte.SIZE * (length - next)))) >>> unused;
        return (difference | (bits ^ expected)) == 0;
    }

    /** The 48 bits of eight characters; negative if a character is outside the alphabet. */
    private static long wordAt(byte[] text, int at) {
        return (long) groupAt(text, at) << 24 | groupAt(text, at + 4);
    }

    /** The 24 bits of four characters; negative if a character is outside the alphabet. */
    private static int groupAt(byte[] text, int at) {
        return FIRST[text[at] & 0xff]
                | SECOND[text[at + 1] & 0xff]
                | THIRD[text[at + 2] & 0xff]
                | VALUES[text[at + 3] & 0xff];
    }

    /**
     * Decodes {@code from[start, end)} into the front of {@code to}. May write up to two more bytes if there is space.
     *
     * @return the number of bytes. {@link #NOT_BASE64URL} for a character outside the alphabet, an impossible length,
     *     or unused bits that are not zero
     */
    static int decode(byte[] from, int start, int end, byte[] to) {
        long seen = 0;
        int room = Math.max(0, to.length - (Long.BYTES - WORD_BYTES)) / WORD_BYTES;
        int words = Math.min((end - start) / WORD_CHARACTERS, room);
        for (int i = 0; i < words; i++) {
            long bits = wordAt(from, start + i * WORD_CHARACTERS);
            seen |= bits;
            BYTES.set(to, i * WORD_BYTES, bits << UNUSED_BITS);
        }
        int next = start + words * WORD_CHARACTERS;
        int at = words * WORD_BYTES;
        while (end - next >= 4) {
            int bits = groupAt(from, next);
            seen |= bits;
            to[at] = (byte) (bits >> 16);
            to[at + 1] = (byte) (bits >> 8);
            to[at + 2] = (byte) bits;
            next += 4;
            at += 3;
        }
        return seen < 0 ? NOT_BASE64URL : decodeRest(from, next, end - next, to, at);
    }

    private static int decodeRest(byte[] from, int start, int rest, byte[] to, int at) {
        if (rest == 0) {
            return at;
        }
        if (rest == 1) {
            return NOT_BASE64URL;
        }
        int first = VALUES[from[start] & 0xff];
        int second = VALUES[from[start + 1] & 0xff];
        int third = rest == 3 ? VALUES[from[start + 2] & 0xff] : 0;
        int unused = rest == 3 ? third & 0x3 : second & 0xf;
        if ((first | second | third) < 0 || unused != 0) {
            return NOT_BASE64URL;
        }
        to[at] = (byte) (first << 2 | second >> 4);
        if (rest == 2) {
            return at + 1;
        }
        to[at + 1] = (byte) (second << 4 | third >> 2);
        return at + 2;
    }
}
