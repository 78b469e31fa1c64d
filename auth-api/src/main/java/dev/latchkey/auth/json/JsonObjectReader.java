package dev.latchkey.auth.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one object from begin to end. */
final class JsonObjectReader {

    private static final int MAX_DEPTH = 16;

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    private final String json;
    private int at;

    JsonObjectReader(String json) {
        this.json = json;
    }

    JsonMembers whole() {
        skipBlanks();
        JsonMembers members = object(1);
        skipBlanks();
        if (at < json.length()) {
            throw refused("Something follows the object");
        }
        return members;
    }

    /** The strings of an array; empty for an array with another value, and for another value. */
    Optional<List<String>> texts() {
        List<String> texts = new ArrayList<>();
        if (!take('[')) {
            return Optional.empty();
        }
        skipBlanks();
        if (take(']')) {
            return Optional.of(texts);
        }
        do {
            skipBlanks();
            if (peek() != '"') {
                return Optional.empty();
            }
            texts.add(text());
            skipBlanks();
        } while (take(','));
        expect(']');
        return Optional.of(texts);
    }

    private JsonMembers object(int depth) {
        Map<String, String> texts = new HashMap<>();
        Map<String, String> others = new HashMap<>();
        expect('{');
        skipBlanks();
        if (take('}')) {
            return new JsonMembers(texts, others);
        }
        do {
            skipBlanks();
            String name = text();
            if (texts.containsKey(name) || others.containsKey(name)) {
                throw refused("A member comes twice");
            }
            skipBlanks();
            expect(':');
            skipBlanks();
            if (peek() == '"') {
                texts.put(name, text());
            } else {
                int start = at;
                skipValue(depth);
                others.put(name, json.substring(start, at));
            }
            skipBlanks();
        } while (take(','));
        expect('}');
        return new JsonMembers(texts, others);
    }

    private void skipValue(int depth) {
        if (depth == MAX_DEPTH) {
            throw refused("Nested too deeply");
        }
        switch (peek()) {
            case '"' -> text();
            case '{' -> object(depth + 1);
            case '[' -> skipArray(depth + 1);
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipArray(int depth) {
        expect('[');
        skipBlanks();
        if (take(']')) {
            return;
        }
        do {
            skipBlanks();
            skipValue(depth);
            skipBlanks();
        } while (take(','));
        expect(']');
    }

    private void skipWord(String word) {
        if (!json.startsWith(word, at)) {
            throw refused("Not a value");
        }
        at += word.length();
    }

    private void skipNumber() {
        Matcher number = NUMBER.matcher(json).region(at, json.length());
        if (!number.lookingAt()) {
            throw refused("Not a value");
        }
        at = number.end();
    }

    private String text() {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (!take('"')) {
            char c = next();
            if (c < 0x20) {
                throw refused("A control character is not escaped");
            }
            text.append(c == '\\' ? escaped() : c);
        }
        requireUnicode(text);
        return text.toString();
    }

    /** Half of a character is no text (RFC 7493 section 2.1). As bytes, half a character is a question mark: two passwords would be one. */
    private static void requireUnicode(CharSequence text) {
        if (text.codePoints().anyMatch(each -> Character.getType(each) == Character.SURROGATE)) {
            throw refused("A surrogate stands alone");
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hexDigit() << 12 | hexDigit() << 8 | hexDigit() << 4 | hexDigit());
            default -> throw refused("An escape is broken");
        };
    }

    private int hexDigit() {
        char c = next();
        if (c >= 0x80 || Character.digit(c, 16) < 0) {
            throw refused("An escape is broken");
        }
        return Character.digit(c, 16);
    }

    private char peek() {
        return at < json.length() ? json.charAt(at) : ' ';
    }

    private char next() {
        if (at == json.length()) {
            throw refused("The text ends too soon");
        }
        return json.charAt(at++);
    }

    private boolean take(char c) {
        boolean there = at < json.length() && json.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw refused("Expected " + c);
        }
    }

    private void skipBlanks() {
        while (at < json.length() && " \t\n\r".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Without any of the text, which may be a password. */
    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }
}
