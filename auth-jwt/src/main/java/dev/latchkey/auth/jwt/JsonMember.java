package dev.latchkey.auth.jwt;

/**
 * Steps through the members of a JSON object after {@link JsonScanner} accepted the object.
 *
 * <p>Therefore reading one claim, such as a list of roles, creates no objects for the other claims.
 */
final class JsonMember {

    static final int ABSENT = 0;

    private final byte[] json;
    private int next;
    private int nameStart;
    private int nameEnd;
    private boolean isNamePlain;
    private int valueStart;
    private int valueEnd;

    private JsonMember(byte[] json) {
        this.json = json;
        this.next = JsonScanner.blanks(json, JsonScanner.blanks(json, 0, json.length) + 1, json.length);
    }

    /** A position before the first member of the outermost object; call {@link #next} first. */
    static JsonMember beforeFirst(byte[] json) {
        return new JsonMember(json);
    }

    /** The span of the outermost member with this name, in the form of {@link JsonScanner#valueSpan}; or 0. */
    static int spanOf(byte[] json, String name) {
        JsonMember member = new JsonMember(json);
        while (member.next()) {
            if (member.isNamed(name)) {
                return JsonScanner.span(member.valueStart, member.valueEnd);
            }
        }
        return ABSENT;
    }

    /** Moves to the next member; {@code false} at the end. */
    boolean next() {
        int end = json.length;
        if (json[next] != '"') {
            return false;
        }
        nameStart = next + 1;
        nameEnd = JsonScanner.string(json, nameStart, end) - 1;
        isNamePlain = isPlain(nameStart, nameEnd);
        int colon = JsonScanner.blanks(json, nameEnd + 1, end);
        valueStart = JsonScanner.blanks(json, colon + 1, end);
        valueEnd = endOf(json, valueStart, end);
        int separator = JsonScanner.blanks(json, valueEnd, end);
        next = json[separator] == ',' ? JsonScanner.blanks(json, separator + 1, end) : separator;
        return true;
    }

    /** The start of the member's value. */
    int valueStart() {
        return valueStart;
    }

    String name() {
        return JsonText.textOf(json, nameStart, nameEnd);
    }

    /** The member's value; {@link JsonReader} describes the types. */
    Object value() {
        return JsonReader.valueOf(json, valueStart, valueEnd);
    }

    /** Creates a string only for a name with escapes or characters outside ASCII. */
    boolean isNamed(String name) {
        if (!isNamePlain) {
            return name().equals(name);
        }
        if (nameEnd - nameStart != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (json[nameStart + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPlain(int start, int end) {
        for (int at = start; at < end; at++) {
            if (json[at] < 0 || json[at] == '\\') {
                return false;
            }
        }
        return true;
    }

    /** The place after the value that starts here. */
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

    /** Whether the value has ended. A string or a bracket closes itself. A number or a word ends at a separator. */
    private static boolean isOver(byte first, byte next) {
        return first == '"' || first == '{' || first == '[' || next == ',' || next == '}' || next <= ' ';
    }
}
