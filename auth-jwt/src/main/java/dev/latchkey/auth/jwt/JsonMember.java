package dev.latchkey.auth.jwt;

/**
 * Finds one member of a JSON object that {@link JsonScanner} has accepted, and steps over the others.
 *
 * <p>So reading one claim, a list of roles say, does not make objects of all the others.
 */
final class JsonMember {

    static final int ABSENT = 0;

    private JsonMember() {}

    /** Where the value of the outermost object's member of this name lies, as {@link JsonScanner#valueSpan} tells; or 0. */
    static int spanOf(byte[] json, String name) {
        int end = json.length;
        int at = JsonScanner.blanks(json, JsonScanner.blanks(json, 0, end) + 1, end);
        while (json[at] == '"') {
            int nameStart = at + 1;
            int nameEnd = JsonScanner.string(json, nameStart, end) - 1;
            int colon = JsonScanner.blanks(json, nameEnd + 1, end);
            int valueStart = JsonScanner.blanks(json, colon + 1, end);
            int valueEnd = endOf(json, valueStart, end);
            if (isNamed(json, nameStart, nameEnd, name)) {
                return valueStart << 16 | valueEnd;
            }
            int separator = JsonScanner.blanks(json, valueEnd, end);
            at = json[separator] == ',' ? JsonScanner.blanks(json, separator + 1, end) : separator;
        }
        return ABSENT;
    }

    /** Letter by letter; only a name with escapes, or with more than ASCII, is worth a string. */
    private static boolean isNamed(byte[] json, int start, int end, String name) {
        int at = start;
        while (at < end && at - start < name.length() && json[at] == name.charAt(at - start) && json[at] != '\\') {
            at++;
        }
        if (at == end) {
            return at - start == name.length();
        }
        return (json[at] < 0 || JsonText.isEscaped(json, at, end))
                && JsonText.textOf(json, start, end).equals(name);
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
