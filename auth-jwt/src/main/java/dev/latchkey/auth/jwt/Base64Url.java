package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Base64url without padding (RFC 4648 section 5, RFC 7515 appendix C), in the one form that each byte sequence has.
 *
 * <p>Between arrays that the caller owns, so that nothing is allocated. {@code java.util.Base64} accepts several spellings of
 * the same bytes (padding or none, any value in the unused bits of the last character), and its vectorised decoder has had an
 * out-of-bounds write on some builds (JDK-8392044); this accepts one, and has no native code.
 */
final class Base64Url {

    /** What {@link #decode} answers for text that is not Base64url; no length is negative. */
    static final int NOT_BASE64URL = -1;

    /** Eight bytes at once, the first one in the highest place. */
    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    // Six bytes are a word of eight characters: the upper 48 bits of a long.
    private static final int WORD_BYTES = 6;
    private static final int WORD_CHARACTERS = 8;
    private static final int UNUSED_BITS = 16;

    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);

    /** The value of each character, and -1 for the rest: shifted and joined, one bad character keeps the sum negative. */
    private static final int[] VALUES = valuesShifted(0);

    // The same at the other places in a group of four.
    private static final int[] THIRD = valuesShifted(6);
    private static final int[] SECOND = valuesShifted(12);
    private static final int[] FIRST = valuesShifted(18);

    /** The two characters of each twelve bits: half as many steps as one after the other, for 8 KB. */
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

    /** At most; exact for text that decodes. */
    static int decodedLength(int characters) {
        return characters * 3 / 4;
    }

    /**
     * Encodes {@code length} bytes of {@code from}; returns where the text ends in {@code to}. Both have at least eight bytes
     * more, and those behind the text are overwritten.
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

    /** The text of these bytes, in an array of its own. */
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
     * Whether the first {@code length} bytes of {@code from}, encoded, stand at this place of the text. The time depends on the
     * length and on the text, which its sender knows, never on the bytes: it is the text that is decoded, so that the bytes
     * choose no cache line of a table, and no comparison ends early.
     *
     * <p>The bytes have at least eight more behind them.
     */
    static boolean isEncodedAt(byte[] text, int at, byte[] from, int length) {
        long difference = 0;
        int words = length / WORD_BYTES;
        for (int i = 0; i < words; i++) {
            difference |=
                    wordAt(text, at + i * WORD_CHARACTERS) ^ (long) BYTES.get(from, i * WORD_BYTES) >>> UNUSED_BITS;
        }
        int next = words * WORD_BYTES;
        int place = at + words * WORD_CHARACTERS;
        int characters = encodedLength(length - next);
        long bits = 0;
        for (int i = 0; i < characters; i++) {
            bits = bits << 6 | VALUES[text[place + i] & 0xff];
        }
        // What lies behind the bytes belongs to others; the bits of the last character that it would fill are zero.
        int unused = UNUSED_BITS + 6 * (WORD_CHARACTERS - characters);
        long expected = ((long) BYTES.get(from, next) & ~(-1L >>> (Byte.SIZE * (length - next)))) >>> unused;
        return (difference | (bits ^ expected)) == 0;
    }

    /** The 48 bits that eight characters stand for; negative if one of them is outside the alphabet. */
    private static long wordAt(byte[] text, int at) {
        return (long) groupAt(text, at) << 24 | groupAt(text, at + 4);
    }

    /** The 24 bits that four characters stand for; negative if one of them is outside the alphabet. */
    private static int groupAt(byte[] text, int at) {
        return FIRST[text[at] & 0xff]
                | SECOND[text[at + 1] & 0xff]
                | THIRD[text[at + 2] & 0xff]
                | VALUES[text[at + 3] & 0xff];
    }

    /**
     * Decodes {@code from[start, end)} into the front of {@code to}, and may write up to two bytes more where there is room.
     *
     * @return the number of bytes, or {@link #NOT_BASE64URL} if a character is outside the alphabet, the length is one that
     *     no bytes encode to, or the unused bits of the last character are not zero
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
