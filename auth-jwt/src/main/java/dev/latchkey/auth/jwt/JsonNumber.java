package dev.latchkey.auth.jwt;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Numbers in the form of RFC 8259 section 6, read without loss and never through {@code double}.
 *
 * <p>Two limits prevent expensive arithmetic: at most {@value #MAX_LENGTH} characters, and at most three digits of
 * exponent. Therefore no {@code BigDecimal} expands to more than a thousand digits.
 */
final class JsonNumber {

    static final int MAX_LENGTH = 64;

    private static final int MAX_EXPONENT_DIGITS = 3;

    /** Every number with at most this many digits fits into a {@code long}. */
    private static final int LONG_DIGITS = 18;

    /** Not the value of any number with at most 18 digits. */
    static final long NOT_PLAIN = Long.MIN_VALUE;

    private JsonNumber() {}

    /** The place after the number that starts here, or {@link JsonPosition#DEFECT}. */
    static int scan(byte[] json, int start, int end) {
        int at = start < end && json[start] == '-' ? start + 1 : start;
        int digits = at;
        at = EightBytes.digits(json, at, end);
        if (at == digits || (json[digits] == '0' && at > digits + 1)) {
            return JsonPosition.DEFECT;
        }
        if (at < end && json[at] == '.') {
            int fraction = at + 1;
            at = EightBytes.digits(json, fraction, end);
            if (at == fraction) {
                return JsonPosition.DEFECT;
            }
        }
        if (at < end && (json[at] | 0x20) == 'e') {
            at++;
            int exponent = at < end && (json[at] == '+' || json[at] == '-') ? at + 1 : at;
            at = EightBytes.digits(json, exponent, end);
            if (at == exponent || at > exponent + MAX_EXPONENT_DIGITS) {
                return JsonPosition.DEFECT;
            }
        }
        return at - start <= MAX_LENGTH ? at : JsonPosition.DEFECT;
    }

    /** The value of a number with at most 18 digits and an optional minus; else {@link #NOT_PLAIN}. */
    static long plainOf(byte[] json, int start, int end) {
        int first = json[start] == '-' ? start + 1 : start;
        if (end - first > LONG_DIGITS || first == end) {
            return NOT_PLAIN;
        }
        long value = EightBytes.numberOf(json, first, end);
        if (value < 0) {
            return NOT_PLAIN;
        }
        return first == start ? value : -value;
    }

    static BigDecimal decimalOf(byte[] json, int start, int end) {
        return new BigDecimal(new String(json, start, end - start, StandardCharsets.ISO_8859_1));
    }
}
