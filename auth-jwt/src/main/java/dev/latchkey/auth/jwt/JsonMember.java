package dev.latchkey.auth.jwt;

/**
 * Steps through the members of a JSON object that {@link JsonScanner} has accepted, one after the other.
 *
 * <p>So reading one claim, a list of roles say, does not make objects of all the others.
 */
final class JsonMember {

    static final int ABSENT = 0;

    private final byte[] json;
    private int next;
    private int nameStart;
    private int nameEnd;
    private int valueStart;
    private int valueEnd;

    private JsonMember(byte[] json) {
        this.json = json;
        this.next = JsonScanner.blanks(json, JsonScanner.blanks(json, 0, json.length) + 1, json.length);
    }

    /** Before the first member of the outermost object; to be moved by {@link #next}. */
    static JsonMember beforeFirst(byte[] json) {
        return new JsonMember(json);
    }

    /** Where the value of the outermost object's member of this name lies, as {@link JsonScanner#valueSpan} tells; or 0. */
    static int spanOf(byte[] json, String name) {
        JsonMember member = new JsonMember(json);
        while (member.next()) {
            if (member.isNamed(name)) {
                return JsonScanner.span(member.valueStart, member.valueEnd);
            }
        }
        return ABSENT;
    }

    /** Moves on; {@code false} where there is no other one. */
    boolean next() {
        int end = json.length;
        if (json[next] != '"') {
            return false;
        }
        nameStart = next + 1;
        nameEnd = JsonScanner.string(json, nameStart, end) - 1;
        int colon = JsonScanner.blanks(json, nameEnd + 1, end);
        valueStart = JsonScanner.blanks(json, colon + 1, end);
        valueEnd = endOf(json, valueStart, end);
        int separator = JsonScanner.blanks(json, valueEnd, end);
        next = json[separator] == ',' ? JsonScanner.blanks(json, separator + 1, end) : separator;
        return true;
    }

    int nameLength() {
        return nameEnd - nameStart;
    }

    String name() {
        return JsonText.textOf(json, nameStart, nameEnd);
    }

    /** As {@link JsonReader} describes. */
    Object value() {
        return JsonReader.valueOf(json, valueStart, valueEnd);
    }

    /** Letter by letter; only a name with escapes, or with more than ASCII, is worth a string. */
    boolean isNamed(String name) {
        int at = nameStart;
        int end = nameEnd;
        while (at < end
                && at - nameStart < name.length()
                && json[at] == name.charAt(at - nameStart)
                && json[at] != '\\') {
            at++;
        }
        if (at == end) {
            return at - nameStart == name.length();
        }
        return (json[at] < 0 || JsonText.isEscaped(json, at, end)) && name().equals(name);
    }

    /** The place after the value that begins here. */
    private static int endOf(byte[] json, int start, int end) {
        int at = start;
        int open = 0;
        do {
            switch (json[at]) {
                case '"' -> at = JsonScanner.string(json, at + 1, end);
                case '{', '[' -> {
                    open++;
                    at++;
                }
                case '}', ']' -> {
                    open--;
                    at++;
                }
                default -> at++;
            }
        } while (open > 0 || !isOver(json[start], json[at]));
        return at;
    }

    /** A string or a bracket closes itself; a number or a word ends where something else begins. */
    private static boolean isOver(byte first, byte next) {
        return first == '"' || first == '{' || first == '[' || next == ',' || next == '}' || next <= ' ';
    }
}
