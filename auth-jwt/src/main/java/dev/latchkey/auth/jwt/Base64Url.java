package dev.latchkey.auth.jwt;

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
