package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Reads JSON eight bytes at a time as a {@code long}, the first byte in the lowest place.
 *
 * <p>Most claims are plain characters and digits. A check of each single byte would cost more than the MAC. The tests
 * here add to all bytes of a word, or subtract from them, at once. The top bit of each byte is the result. A borrow
 * changes only higher bytes, so the lowest found byte is always right. Nothing after {@code end} is read.
 */
final class EightBytes {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EACH = 0x0101010101010101L;
    private static final long TOP_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = EACH * 0x7f;

    /** Odd and random for each process, so that an attacker cannot prepare names with equal hashes. */
    private static final long SPREAD = new SecureRandom().nextLong() | 1;

    private static final int HUNDRED_MILLION = 100_000_000;

    private EightBytes() {}

    /** The eight bytes at this place. */
    static long at(byte[] json, int at) {
        return (long) WORD.get(json, at);
    }

    /** The first place of a quotation mark, a backslash, a control character or a byte outside ASCII; or the end. */
    static int plainText(byte[] json, int from, int end) {
        int at = from;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long word = at(json, at);
            long special =
                    (word - EACH * ' ' | (word ^ EACH * '"') - EACH | (word ^ EACH * '\\') - EACH | word) & TOP_BITS;
            if (special != 0) {
                return at + (Long.numberOfTrailingZeros(special) >>> 3);
            }
        }
        while (at < end && json[at] >= ' ' && json[at] != '"' && json[at] != '\\') {
            at++;
        }
        return at;
    }

    /** The first place without a digit; or the end. */
    static int digits(byte[] json, int from, int end) {
        int at = from;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long others = othersThanDigits(at(json, at) ^ EACH * '0');
            if (others != 0) {
                return at + (Long.numberOfTrailingZeros(others) >>> 3);
            }
        }
        while (at < end && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
        return at;
    }

    /** The number of at most 18 digits; negative if a character is not a digit. */
    static long numberOf(byte[] json, int from, int end) {
        long value = 0;
        long others = 0;
        int at = from;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long digits = at(json, at) ^ EACH * '0';
            others |= othersThanDigits(digits);
            // Neighbours join into numbers of two digits, then of four, then of eight.
            long pairs = (digits * 10 + (digits >>> 8)) & 0x00ff00ff00ff00ffL;
            long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000ffff0000ffffL;
            value = value * HUNDRED_MILLION + ((fours * 10_000 + (fours >>> 32)) & 0xffffffffL);
        }
        for (; at < end; at++) {
            int digit = json[at] - '0';
            others |= digit | 9 - digit;
            value = value * 10 + digit;
        }
        return (others & (TOP_BITS | Long.MIN_VALUE)) == 0 ? value : -1;
    }

    /** A hash that is equal for equal texts. */
    static int hash(byte[] text, int from, int end) {
        long hash = 0;
        int at = from;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            hash = (hash ^ at(text, at)) * SPREAD;
            hash ^= hash >>> 32;
        }
        long rest = (long) end - from;
        for (; at < end; at++) {
            rest = rest << 8 | (text[at] & 0xff);
        }
        return (int) (((hash ^ rest) * SPREAD) >>> 32);
    }

    /** Sets the top bit of each byte greater than nine. */
    private static long othersThanDigits(long digits) {
        return ((digits & LOW_BITS) + EACH * (0x7f - 9) | digits) & TOP_BITS;
    }
}
