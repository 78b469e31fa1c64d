package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing buffer for JSON text in UTF-8. {@link JsonWriter} is responsible for the JSON syntax.
 *
 * <p>The buffer always has space for one long after the text.
 */
final class JsonBuffer extends CacheLinePadding {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final long EIGHT_DIGITS = 100_000_000;
    private static final long ONES = 0x0101010101010101L;
    private static final long ZEROS = '0' * ONES;
    private static final long HIGH_BITS = ONES << 7;

    /** The length of an escaped control character. */
    private static final int LONGEST_CHAR = 6;

    private byte[] bytes;
    private int at;

    JsonBuffer(int capacity) {
        this.bytes = new byte[capacity];
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return at;
    }

    void clear() {
        at = 0;
    }

    void put(char c) {
        reserve(1);
        bytes[at++] = (byte) c;
    }

    void put(byte[] ascii) {
        reserve(ascii.length);
        System.arraycopy(ascii, 0, bytes, at, ascii.length);
        at += ascii.length;
    }

    /**
     * Writes the first {@code count} characters of eight, the first in the highest place. One step is faster than
     * starting a loop.
     */
    void put(long eight, int count) {
        reserve(count);
        LONG.set(bytes, at, eight);
        at += count;
    }

    void number(long value) {
        if (value < 0) {
            put(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        if (value >= EIGHT_DIGITS) {
            long above = value / EIGHT_DIGITS;
            number(above);
            put(digitsOf(value - above * EIGHT_DIGITS) + ZEROS, 8);
        } else {
            long digits = digitsOf(value);
            int leading = Math.min(7, Long.numberOfLeadingZeros(digits) / Byte.SIZE);
            put((digits + ZEROS) << (leading * Byte.SIZE), 8 - leading);
        }
    }

    /** The eight digits of a number below 10^8, one byte each. Three divisions work on all parts at once. */
    private static long digitsOf(long value) {
        long thousands = value / 10_000;
        long fours = (thousands << 32) | (value - thousands * 10_000);
        // A division by 100 up to 9,999, or by 10 up to 99, is a multiplication and a shift.
        long hundreds = ((fours * 5243) >>> 19) & 0x0000007f0000007fL;
        long pairs = (hundreds << 16) | (fours - hundreds * 100);
        long tens = ((pairs * 103) >>> 10) & 0x000f000f000f000fL;
        return (tens << 8) | (pairs - tens * 10);
    }

    /** Writes a quoted string with the escapes required by RFC 8259 section 7. The text has no lone surrogate. */
    void string(String text) {
        int length = text.length();
        reserve(Math.multiplyExact(length, LONGEST_CHAR) + 2);
        bytes[at] = '"';
        int begin = at + 1;
        int end = isCopiedAsItIs(text, begin) ? begin + length : encoded(text, begin);
        bytes[end] = '"';
        at = end + 1;
    }

    /** Copies the text, and returns whether the text is ASCII without escapes, as most texts are. */
    @SuppressWarnings("deprecation")
    private boolean isCopiedAsItIs(String text, int begin) {
        int length = text.length();
        // Deprecated because the method cuts characters to bytes. The loop detects cut characters. The compiler removes
        // the loop for strings stored in Latin-1.
        text.getBytes(0, length, bytes, begin);
        int cut = 0;
        for (int i = 0; i < length; i++) {
            cut |= text.charAt(i) >>> Byte.SIZE;
        }
        int whole = length - length % Long.BYTES;
        long found = 0;
        for (int i = 0; i < whole; i += Long.BYTES) {
            found |= special((long) LONG.get(bytes, begin + i));
        }
        if (whole < length) {
            long beyond = -1L >>> (Byte.SIZE * (length - whole));
            long last = (long) LONG.get(bytes, begin + whole);
            found |= special((last & ~beyond) | (ZEROS & beyond));
        }
        return cut == 0 && (found & HIGH_BITS) == 0;
    }

    /** Has a high bit if and only if a byte is outside ASCII, a control character, a quote or a backslash. */
    private static long special(long eight) {
        long quote = eight ^ ('"' * ONES);
        long backslash = eight ^ ('\\' * ONES);
        return eight | (eight - ' ' * ONES) | (quote - ONES) | (backslash - ONES);
    }

    private int encoded(String text, int begin) {
        byte[] to = bytes;
        int next = begin;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80 && c >= ' ' && c != '"' && c != '\\') {
                to[next++] = (byte) c;
            } else if (Character.isHighSurrogate(c)) {
                next = encoded(to, next, Character.toCodePoint(c, text.charAt(++i)));
            } else {
                next = encoded(to, next, c);
            }
        }
        return next;
    }

    private static int encoded(byte[] to, int from, int codePoint) {
        int at = from;
        if (codePoint == '"' || codePoint == '\\') {
            to[at++] = '\\';
            to[at++] = (byte) codePoint;
        } else if (codePoint < ' ') {
            to[at++] = '\\';
            to[at++] = 'u';
            to[at++] = '0';
            to[at++] = '0';
            to[at++] = HEX[codePoint >> 4];
            to[at++] = HEX[codePoint & 0xf];
        } else {
            int continuations = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
            int lead = continuations == 1 ? 0xc0 : continuations == 2 ? 0xe0 : 0xf0;
            to[at++] = (byte) (lead | (codePoint >> (6 * continuations)));
            for (int shift = 6 * (continuations - 1); shift >= 0; shift -= 6) {
                to[at++] = (byte) (0x80 | ((codePoint >> shift) & 0x3f));
            }
        }
        return at;
    }

    private void reserve(int more) {
        int needed = Math.addExact(more, Long.BYTES);
        if (bytes.length - at < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(at, needed)));
        }
    }
}
