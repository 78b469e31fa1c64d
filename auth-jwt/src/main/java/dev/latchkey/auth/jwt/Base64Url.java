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

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** So many bytes make the eight characters of a word. */
    private static final int WORD_BYTES = 6;

    private static final long EACH_BYTE = 0x0101010101010101L;

    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);

    /** The value of each character, and -1 for the rest: shifted and joined, one bad character keeps the sum negative. */
    private static final int[] VALUES = new int[256];

    static {
        Arrays.fill(VALUES, -1);
        for (int i = 0; i < ALPHABET.length; i++) {
            VALUES[ALPHABET[i]] = i;
        }
    }

    private Base64Url() {}

    static int encodedLength(int bytes) {
        return (bytes * 4 + 2) / 3;
    }

    /** At most; exact for text that decodes. */
    static int decodedLength(int characters) {
        return characters * 3 / 4;
    }

    /** Encodes {@code length} bytes of {@code from}; returns where the text ends in {@code to}. */
    static int encode(byte[] from, int length, byte[] to, int at) {
        byte[] alphabet = ALPHABET;
        int whole = length - length % 3;
        int end = at;
        for (int i = 0; i < whole; i += 3) {
            int bits = (from[i] & 0xff) << 16 | (from[i + 1] & 0xff) << 8 | (from[i + 2] & 0xff);
            to[end] = alphabet[bits >>> 18];
            to[end + 1] = alphabet[bits >>> 12 & 0x3f];
            to[end + 2] = alphabet[bits >>> 6 & 0x3f];
            to[end + 3] = alphabet[bits & 0x3f];
            end += 4;
        }
        if (whole < length) {
            int first = from[whole] & 0xff;
            int second = whole + 1 < length ? from[whole + 1] & 0xff : 0;
            to[end++] = alphabet[first >>> 2];
            to[end++] = alphabet[(first << 4 | second >>> 4) & 0x3f];
            if (whole + 1 < length) {
                to[end++] = alphabet[second << 2 & 0x3f];
            }
        }
        return end;
    }

    /**
     * Whether the first {@code length} bytes of {@code from}, encoded, stand at this place of the text: in a time that depends
     * on the length alone, without a table whose cache lines the bytes would choose.
     *
     * <p>Both arrays have at least eight bytes more than are compared.
     */
    static boolean isEncodedAt(byte[] text, int at, byte[] from, int length) {
        long difference = 0;
        int next = 0;
        int place = at;
        while (length - next >= WORD_BYTES) {
            difference |= wordOf((long) WORD.get(from, next) >>> 16) ^ (long) WORD.get(text, place);
            next += WORD_BYTES;
            place += Long.BYTES;
        }
        int rest = length - next;
        if (rest > 0) {
            // What lies behind the bytes and behind the text belongs to others.
            int unused = 8 * (WORD_BYTES - rest);
            long bits = (long) WORD.get(from, next) >>> 16 >>> unused << unused;
            difference |= (wordOf(bits) ^ (long) WORD.get(text, place)) >>> (Long.SIZE - 8 * encodedLength(rest));
        }
        return difference == 0;
    }

    /**
     * The eight characters for 48 bits, all at once: each byte of the word becomes a value of six bits, and then the sum of
     * that value, {@code 'A'}, and a correction where it is at least 26, 52, 62 or 63. The additions never carry beyond their byte.
     */
    private static long wordOf(long bits) {
        long halves = ((bits & 0xffffff000000L) << 8) | (bits & 0xffffffL);
        long quarters = ((halves & 0x00fff00000fff000L) << 4) | (halves & 0x00000fff00000fffL);
        long values = ((quarters & 0x0fc00fc00fc00fc0L) << 2) | (quarters & 0x003f003f003f003fL);
        long from26 = atLeast(values, 26);
        long from52 = atLeast(values, 52);
        long from62 = atLeast(values, 62);
        long from63 = atLeast(values, 63);
        return values
                + EACH_BYTE * 'A'
                + from26 * ('a' - 'A' - 26)
                + from52 * ('0' - 'a' - 26)
                + from62 * ('-' - '0' - 10)
                + from63 * ('_' - '-' - 1);
    }

    /** One in each byte whose value, below 64, is not less than the bound. */
    private static long atLeast(long values, int bound) {
        return ((values + EACH_BYTE * (0x80 - bound)) >>> 7) & EACH_BYTE;
    }

    /**
     * Decodes {@code from[start, end)} into the front of {@code to}.
     *
     * @return the number of bytes, or {@link #NOT_BASE64URL} if a character is outside the alphabet, the length is one that
     *     no bytes encode to, or the unused bits of the last character are not zero
     */
    static int decode(byte[] from, int start, int end, byte[] to) {
        int[] values = VALUES;
        int rest = (end - start) & 3;
        int whole = end - rest;
        int seen = 0;
        int at = 0;
        for (int i = start; i < whole; i += 4) {
            int bits = values[from[i] & 0xff] << 18
                    | values[from[i + 1] & 0xff] << 12
                    | values[from[i + 2] & 0xff] << 6
                    | values[from[i + 3] & 0xff];
            seen |= bits;
            to[at] = (byte) (bits >> 16);
            to[at + 1] = (byte) (bits >> 8);
            to[at + 2] = (byte) bits;
            at += 3;
        }
        return seen < 0 ? NOT_BASE64URL : decodeRest(from, whole, rest, to, at);
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
