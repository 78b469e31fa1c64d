package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Writes one JSON object in UTF-8, without white space, into a reused buffer.
 *
 * <p>With values from {@link JsonValues}, {@link JsonScanner} accepts the output. Too many members cause an
 * {@link IllegalArgumentException}.
 */
final class JsonWriter extends CacheLinePadding {

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final JsonBuffer out;
    private int openMembers;
    private boolean first;

    JsonWriter(int capacity) {
        this.out = new JsonBuffer(capacity);
    }

    /** The written bytes, with eight more bytes of space. */
    byte[] buffer() {
        return out.bytes();
    }

    int length() {
        return out.length();
    }

    /** Clears the buffer and starts a new object. */
    void begin() {
        out.clear();
        openMembers = 0;
        open();
    }

    void end() {
        out.put('}');
    }

    void member(String name, Object value) {
        name(name);
        value(value);
    }

    void member(ClaimName name, String value) {
        name(name);
        out.string(value);
    }

    void member(ClaimName name, long value) {
        name(name);
        out.number(value);
    }

    void member(ClaimName name, Object value) {
        name(name);
        value(value);
    }

    private void open() {
        out.put('{');
        first = true;
    }

    private void name(String name) {
        separate();
        out.string(name);
        out.put(':');
    }

    private void name(ClaimName name) {
        separate();
        out.put(name.quoted, ClaimName.QUOTED_LENGTH);
    }

    private void separate() {
        if (!first) {
            out.put(',');
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
            out.string(text);
        } else if (value instanceof Long number) {
            out.number(number);
        } else if (value instanceof List<?> list) {
            array(list);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Boolean bool) {
            out.put(bool ? TRUE : FALSE);
        } else if (value instanceof JsonNull) {
            out.put(NULL);
        } else {
            out.put(value.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void array(List<?> list) {
        out.put('[');
        String separator = "";
        for (Object element : list) {
            if (!separator.isEmpty()) {
                out.put(',');
            }
            separator = ",";
            value(element);
        }
        out.put(']');
    }

    private void object(Map<?, ?> map) {
        int around = openMembers;
        open();
        map.forEach((name, value) -> member((String) name, value));
        out.put('}');
        openMembers = around;
        first = false;
    }
}
