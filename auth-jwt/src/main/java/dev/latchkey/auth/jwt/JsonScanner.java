package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.JsonPosition.DEFECT;

/**
 * Checks that bytes are one JSON object, and records the positions of its members.
 *
 * <p>The scanner follows RFC 8259 and UTF-8 (RFC 3629) strictly. Duplicate names are rejected at every level, as RFC
 * 7515 section 4 allows. Names are compared after their escapes are decoded. The scan is one pass and creates no
 * objects. Callers later create values from spans and may trust the bytes. Depth, members and digits have limits, so
 * the length of the input limits time and memory.
 *
 * <p>Each method takes the start of its part and returns the position after the end, or {@link JsonPosition#DEFECT}. An
 * exception would be clearer, but unwinding the stack would cost more than the check of an accepted token.
 */
final class JsonScanner extends CacheLinePadding {

    /** The outermost object is the first level. */
    static final int MAX_DEPTH = 16;

    /** The limit for an object and its enclosing objects together. */
    static final int MAX_OPEN_MEMBERS = 256;

    /** Positions have 16 bits. */
    static final int MAX_LENGTH = 0xffff;

    private static final long ESCAPED = 1L << 63;
    private static final long HASH = 0x7fff_ffff_0000_0000L;

    /**
     * For each open member: whether its name has escapes (1 bit), a hash of the name (31), its start and its end (16
     * each).
     */
    private final long[] names = new long[MAX_OPEN_MEMBERS];

    /** For each open member: the start and the end of its value. */
    private final int[] values = new int[MAX_OPEN_MEMBERS];

    private int open;

    /**
     * Scans the first {@code end} bytes. White space around the object is allowed (RFC 8259 section 2).
     *
     * @return the number of members of the object, or {@link JsonPosition#DEFECT}
     */
    int scan(byte[] json, int end) {
        open = 0;
        int at = blanks(json, 0, end);
        if (end > MAX_LENGTH || at == end || json[at] != '{') {
            return DEFECT;
        }
        at = object(json, at + 1, end, 1);
        return at != DEFECT && blanks(json, at, end) == end ? open : DEFECT;
    }

    int nameStart(int member) {
        return (int) (names[member] >>> 16) & 0xffff;
    }

    int nameEnd(int member) {
        return (int) names[member] & 0xffff;
    }

    boolean isNameEscaped(int member) {
        return names[member] < 0;
    }

    /** Start and end of the value in one word, for {@link #start} and {@link #end}; never 0. */
    int valueSpan(int member) {
        return values[member];
    }

    static int span(int start, int end) {
        return start << 16 | end;
    }

    static int start(int span) {
        return span >>> 16;
    }

    static int end(int span) {
        return span & 0xffff;
    }

    private int object(byte[] json, int from, int end, int depth) {
        int first = open;
        int at = blanks(json, from, end);
        if (at < end && json[at] == '}') {
            return at + 1;
        }
        while (at < end && json[at] == '"' && open < MAX_OPEN_MEMBERS) {
            int special = EightBytes.plainText(json, at + 1, end);
            int nameEnd = closing(json, special, end);
            boolean escaped = nameEnd != special + 1 && JsonText.isEscaped(json, special, nameEnd);
            if (nameEnd == DEFECT || !enter(json, at + 1, nameEnd - 1, first, escaped)) {
                return DEFECT;
            }
            int member = open++;
            at = blanks(json, nameEnd, end);
            if (at == end || json[at] != ':') {
                return DEFECT;
            }
            int valueStart = blanks(json, at + 1, end);
            at = value(json, valueStart, end, depth);
            if (at == DEFECT) {
                return DEFECT;
            }
            values[member] = span(valueStart, at);
            at = blanks(json, at, end);
            if (at < end && json[at] == '}') {
                // Keeps the outermost members for later questions.
                open = depth == 1 ? open : first;
                return at + 1;
            }
            if (at == end || json[at] != ',') {
                return DEFECT;
            }
            at = blanks(json, at + 1, end);
        }
        return DEFECT;
    }

    /**
     * Adds a name as the next member of the object whose members start at {@code first}; {@code false} if the object
     * repeats the name.
     */
    private boolean enter(byte[] json, int start, int end, int first, boolean escaped) {
        int hash = escaped ? JsonText.hashOfUnescaped(json, start, end) : EightBytes.hash(json, start, end);
        long name = (escaped ? ESCAPED : 0) | (((long) hash << 32) & HASH) | ((long) start << 16) | end;
        for (int i = first; i < open; i++) {
            if (((names[i] ^ name) & HASH) == 0
                    && JsonText.sameText(json, nameStart(i), nameEnd(i), start, end, (names[i] | name) < 0)) {
                return false;
            }
        }
        names[open] = name;
        return true;
    }

    private int value(byte[] json, int at, int end, int depth) {
        if (at == end) {
            return DEFECT;
        }
        return switch (json[at]) {
            case '"' -> string(json, at + 1, end);
            case '{' -> depth < MAX_DEPTH ? object(json, at + 1, end, depth + 1) : DEFECT;
            case '[' -> depth < MAX_DEPTH ? array(json, at + 1, end, depth + 1) : DEFECT;
            case 't' -> literal(json, at, end, "true");
            case 'f' -> literal(json, at, end, "false");
            case 'n' -> literal(json, at, end, "null");
            default -> JsonNumber.scan(json, at, end);
        };
    }

    private int array(byte[] json, int from, int end, int depth) {
        int at = blanks(json, from, end);
        if (at < end && json[at] == ']') {
            return at + 1;
        }
        while (true) {
            at = value(json, at, end, depth);
            if (at == DEFECT) {
                return DEFECT;
            }
            at = blanks(json, at, end);
            if (at == end) {
                return DEFECT;
            }
            if (json[at] == ']') {
                return at + 1;
            }
            if (json[at] != ',') {
                return DEFECT;
            }
            at = blanks(json, at + 1, end);
        }
    }

    private static int literal(byte[] json, int at, int end, String word) {
        if (end - at < word.length()) {
            return DEFECT;
        }
        for (int i = 1; i < word.length(); i++) {
            if (json[at + i] != word.charAt(i)) {
                return DEFECT;
            }
        }
        return at + word.length();
    }

    /**
     * Scans a string from the position after the opening quotation mark; returns the position after the closing
     * quotation mark.
     */
    static int string(byte[] json, int from, int end) {
        return closing(json, EightBytes.plainText(json, from, end), end);
    }

    /** Scans from the first special character; returns the position after the closing quotation mark. */
    private static int closing(byte[] json, int special, int end) {
        int at = special;
        while (at < end) {
            int b = json[at];
            if (b == '"') {
                return at + 1;
            }
            if (b >= 0 && b < ' ') {
                return DEFECT;
            }
            at = b == '\\' ? JsonText.escape(json, at, end) : JsonText.multiByte(json, at, end);
            if (at == DEFECT) {
                return DEFECT;
            }
            at = EightBytes.plainText(json, at, end);
        }
        return DEFECT;
    }

    static int blanks(byte[] json, int from, int end) {
        int at = from;
        while (at < end && json[at] <= ' ' && isBlank(json[at])) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
