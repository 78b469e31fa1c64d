package dev.latchkey.auth.client.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The strings and numbers of a JSON object (RFC 8259), read strictly; numbers keep their text. Other values are checked
 * for their syntax and ignored, because a client must ignore unknown members (RFC 6749 section 5.1). The caller limits
 * the length.
 */
public final class JsonMembers {

    private static final int MAX_DEPTH = 16;

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    private final String json;
    private int at;

    private JsonMembers(String json) {
        this.json = json;
    }

    /**
     * The members by their names.
     *
     * @param utf8 the whole text
     * @return decoded strings, and numbers as text; no other values
     * @throws IllegalArgumentException if the text is not a JSON object in UTF-8, is nested too deeply or repeats a
     *     name; the message has none of the text
     */
    public static Map<String, String> of(byte[] utf8) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            return new JsonMembers(text).whole();
        } catch (CharacterCodingException e) {
            throw refused("Not UTF-8");
        }
    }

    private Map<String, String> whole() {
        skipBlanks();
        Map<String, String> members = object(1);
        skipBlanks();
        if (at < json.length()) {
            throw refused("Something follows the object");
        }
        return members;
    }

    private Map<String, String> object(int depth) {
        Map<String, String> members = new HashMap<>();
        Set<String> names = new HashSet<>();
        expect('{');
        skipBlanks();
        if (take('}')) {
            return members;
        }
        do {
            skipBlanks();
            String name = text();
            if (!names.add(name)) {
                throw refused("A member comes twice");
            }
            skipBlanks();
            expect(':');
            skipBlanks();
            value(name, members, depth);
            skipBlanks();
        } while (take(','));
        expect('}');
        return members;
    }

    private void value(String name, Map<String, String> members, int depth) {
        char first = peek();
        if (first == '"') {
            members.put(name, text());
        } else if (first == '-' || (first >= '0' && first <= '9')) {
            members.put(name, number());
        } else {
            skipValue(depth);
        }
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
            default -> number();
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

    private String number() {
        Matcher number = NUMBER.matcher(json).region(at, json.length());
        if (!number.lookingAt()) {
            throw refused("Not a value");
        }
        at = number.end();
        return number.group();
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
        return text.toString();
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

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }
}
