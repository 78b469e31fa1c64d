package dev.latchkey.auth.spring.endpoint;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The strings among the members of a JSON object (RFC 8259), read strictly. {@code remember_device}, which is true or false, is read as the text that
 * stands there.
 *
 * <p>The JSON library that a service happens to have would do, but libraries differ: in which of two members of one name counts, and in what may
 * stand before, between and behind. Where one reader of a request takes for the name what the next one
 * overlooks, a check can be got around. So a name that comes twice is refused here, in whatever spelling and at whatever depth.
 */
final class JsonFields {

    private static final int MAX_DEPTH = 16;

    /** A client writes JSON's own word for it, which would be overlooked. */
    private static final Set<String> YES_OR_NO = Set.of(LoginRequest.REMEMBER);

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    private final String json;
    private int at;

    private JsonFields(String json) {
        this.json = json;
    }

    /** @throws IllegalArgumentException if the text is no JSON object, is nested too deeply or names a member twice */
    static Map<String, String> parse(String json) {
        JsonFields reader = new JsonFields(json);
        reader.skipBlanks();
        Map<String, String> strings = reader.object(1);
        reader.skipBlanks();
        if (reader.at < json.length()) {
            throw refused("Something follows the object");
        }
        return strings;
    }

    private Map<String, String> object(int depth) {
        Map<String, String> strings = new HashMap<>();
        Set<String> names = new HashSet<>();
        expect('{');
        skipBlanks();
        if (take('}')) {
            return strings;
        }
        do {
            skipBlanks();
            String name = string();
            if (!names.add(name)) {
                throw refused("A member comes twice");
            }
            skipBlanks();
            expect(':');
            skipBlanks();
            if (at < json.length() && json.charAt(at) == '"') {
                strings.put(name, string());
            } else {
                int start = at;
                skipValue(depth);
                if (YES_OR_NO.contains(name)) {
                    strings.put(name, json.substring(start, at));
                }
            }
            skipBlanks();
        } while (take(','));
        expect('}');
        return strings;
    }

    private void skipValue(int depth) {
        if (depth == MAX_DEPTH) {
            throw refused("Nested too deeply");
        }
        char first = at < json.length() ? json.charAt(at) : ' ';
        switch (first) {
            case '"' -> string();
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

    private String string() {
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

    /**
     * Half of a character is no text (RFC 7493 section 2.1). Written as bytes it becomes a question mark, so that two passwords would be
     * one.
     */
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
