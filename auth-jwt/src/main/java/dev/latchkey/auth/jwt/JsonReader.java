package dev.latchkey.auth.jwt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates values from JSON that {@link JsonScanner} has accepted, and therefore checks nothing.
 *
 * <p>A value is a {@code String}, a {@code Boolean}, a number, an unmodifiable {@code List} or {@code Map} in the order
 * of the text, or {@link JsonNull}. A number without fraction and exponent that fits is a {@code Long}, otherwise a
 * {@code BigDecimal}.
 */
final class JsonReader {

    private final byte[] json;
    private final int end;
    private int at;

    private JsonReader(byte[] json, int start, int end) {
        this.json = json;
        this.at = start;
        this.end = end;
    }

    static Object valueOf(byte[] json, int start, int end) {
        return new JsonReader(json, start, end).value();
    }

    static Map<String, Object> objectOf(byte[] json, int end) {
        return new JsonReader(json, 0, end).object();
    }

    /** The strings of an array, or a single string. */
    static List<String> stringsOf(byte[] json, int start, int end) {
        if (json[start] == '"') {
            return List.of(JsonText.textOf(json, start + 1, end - 1));
        }
        JsonReader reader = new JsonReader(json, start, end);
        List<String> strings = new ArrayList<>();
        while (reader.hasNext(']')) {
            strings.add(reader.string());
        }
        return Collections.unmodifiableList(strings);
    }

    private Object value() {
        skipBlanks();
        return switch (json[at]) {
            case '"' -> string();
            case '{' -> object();
            case '[' -> array();
            case 't' -> skip("true", true);
            case 'f' -> skip("false", false);
            case 'n' -> skip("null", JsonNull.NULL);
            default -> number();
        };
    }

    private Object skip(String word, Object value) {
        at += word.length();
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        while (hasNext('}')) {
            String name = string();
            skipBlanks();
            at++; // the colon
            members.put(name, value());
        }
        return Collections.unmodifiableMap(members);
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        while (hasNext(']')) {
            elements.add(value());
        }
        return Collections.unmodifiableList(elements);
    }

    /**
     * Moves to the next element of an array or object. At the end, moves past the closing bracket and returns
     * {@code false}.
     */
    private boolean hasNext(char close) {
        skipBlanks();
        if (json[at] == close) {
            at++;
            return false;
        }
        at++;
        skipBlanks();
        if (json[at] == close) {
            // Only an empty array or object ends here: the scanner rejects a trailing comma.
            at++;
            return false;
        }
        return true;
    }

    private String string() {
        int start = at + 1;
        at = JsonScanner.string(json, start, end);
        return JsonText.textOf(json, start, at - 1);
    }

    private Object number() {
        int start = at;
        at = JsonNumber.scan(json, start, end);
        return numberOf(json, start, at);
    }

    static Object numberOf(byte[] json, int start, int end) {
        long plain = JsonNumber.plainOf(json, start, end);
        return plain != JsonNumber.NOT_PLAIN ? plain : JsonValues.narrowed(JsonNumber.decimalOf(json, start, end));
    }

    private void skipBlanks() {
        at = JsonScanner.blanks(json, at, end);
    }
}
