package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes one JSON object in UTF-8, without white space, into a buffer that it keeps between uses.
 *
 * <p>Given values that {@link JsonValues} made, writes nothing that {@link JsonScanner} refuses, except for too many members,
 * which is an {@link IllegalArgumentException}.
 */
final class JsonWriter {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    /** The digits of -2^63. */
    private static final int LONGEST_LONG = 20;

    /** The escape of a control character. */
    private static final int LONGEST_CHAR = 6;

    private byte[] buffer;
    private int at;
    private int openMembers;
    private boolean first;

    JsonWriter(int capacity) {
        this.buffer = new byte[capacity];
    }

    byte[] buffer() {
        return buffer;
    }

    int length() {
        return at;
    }

    /** Forgets what was written, and begins a new object. */
    void begin() {
        at = 0;
        openMembers = 0;
        open();
    }

    void end() {
        put('}');
    }

    void member(String name, Object value) {
        name(name);
        value(value);
    }

    void member(String name, long value) {
        name(name);
        number(value);
    }

    /** A member whose name was encoded beforehand, as {@code "sub":}. */
    void member(byte[] encodedName, String value) {
        encodedName(encodedName);
        string(value);
    }

    void member(byte[] encodedName, long value) {
        encodedName(encodedName);
        number(value);
    }

    void member(byte[] encodedName, Object value) {
        encodedName(encodedName);
        value(value);
    }

    /** A name that needs no escapes, in the form that {@link #member} takes. */
    static byte[] encodedName(String name) {
        return ('"' + name + "\":").getBytes(StandardCharsets.US_ASCII);
    }

    private void open() {
        put('{');
        first = true;
    }

    private void encodedName(byte[] name) {
        separate();
        reserve(name.length);
        System.arraycopy(name, 0, buffer, at, name.length);
        at += name.length;
    }

    private void name(String name) {
        separate();
        string(name);
        put(':');
    }

    private void separate() {
        if (!first) {
            put(',');
        }
        first = false;
        openMembers++;
        if (openMembers > JsonScanner.MAX_OPEN_MEMBERS) {
            throw new IllegalArgumentException("A token has at most " + JsonScanner.MAX_OPEN_MEMBERS
                    + " claims, those of maps and the maps around them counted together");
        }
    }

    private void value(Object value) {
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Long number) {
            number(number);
        } else if (value instanceof List<?> list) {
            array(list);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Boolean bool) {
            word(bool ? TRUE : FALSE);
        } else if (value instanceof JsonNull) {
            word(NULL);
        } else {
            word(value.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void array(List<?> list) {
        put('[');
        String separator = "";
        for (Object element : list) {
            if (!separator.isEmpty()) {
                put(',');
            }
            separator = ",";
            value(element);
        }
        put(']');
    }

    private void object(Map<?, ?> map) {
        int around = openMembers;
        open();
        map.forEach((name, value) -> member((String) name, value));
        put('}');
        openMembers = around;
        first = false;
    }

    private void word(byte[] word) {
        reserve(word.length);
        System.arraycopy(word, 0, buffer, at, word.length);
        at += word.length;
    }

    private void number(long value) {
        reserve(LONGEST_LONG);
        if (value < 0) {
            word(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        int end = at + digitsOf(value);
        long rest = value;
        for (int i = end - 1; i >= at; i--) {
            buffer[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at = end;
    }

    private static int digitsOf(long value) {
        int digits = 1;
        for (long bound = 10; digits < LONGEST_LONG - 1 && value >= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }

    private void string(String text) {
        int length = text.length();
        reserve(Math.multiplyExact(length, LONGEST_CHAR) + 2);
        byte[] to = buffer;
        int next = at;
        to[next++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80 && c >= ' ' && c != '"' && c != '\\') {
                to[next++] = (byte) c;
            } else if (Character.isHighSurrogate(c)) {
                next = encoded(to, next, Character.toCodePoint(c, text.charAt(++i)));
            } else {
                next = encoded(to, next, c);
            }
        }
        to[next++] = '"';
        at = next;
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

    private void put(char c) {
        reserve(1);
        buffer[at++] = (byte) c;
    }

    private void reserve(int more) {
        if (buffer.length - at < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(at, more)));
        }
    }
}
