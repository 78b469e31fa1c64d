package dev.latchkey.auth.jwt;

import org.jspecify.annotations.Nullable;

/** The compact serialisation of RFC 7515 section 7.1: header, claims and MAC, separated by two dots. */
final class CompactForm {

    private CompactForm() {}

    /** Whether the token has exactly two dots and three parts that are not empty. */
    static boolean isThreeParts(byte[] token, int length) {
        int first = indexOfDot(token, 0, length);
        int second = indexOfDot(token, first + 1, length);
        return first > 0
                && second > first + 1
                && second < length - 1
                && indexOfDot(token, second + 1, length) == length;
    }

    /** The index of the first dot from {@code from} on; {@code end} if there is no dot. */
    static int indexOfDot(byte[] token, int from, int end) {
        int at = from;
        while (at < end && token[at] != '.') {
            at++;
        }
        return at;
    }

    /**
     * Decodes one part into the front of the array; {@link Base64Url#NOT_BASE64URL} if the part is empty or not
     * canonical.
     */
    static int decode(byte[] token, int start, int end, byte[] to) {
        return end <= start ? Base64Url.NOT_BASE64URL : Base64Url.decode(token, start, end, to);
    }

    /**
     * The bytes of the header, which ends at {@code end}; {@code null} if the header is empty or not canonical
     * Base64url.
     */
    static byte @Nullable [] header(byte[] token, int end) {
        byte[] bytes = new byte[Math.max(0, Base64Url.decodedLength(end))];
        return decode(token, 0, end, bytes) == bytes.length ? bytes : null;
    }
}
