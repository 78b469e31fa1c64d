package dev.latchkey.auth.password.migration.tool;

/**
 * One column of a line of text, or the whole line.
 *
 * <p>A cell may have quotation marks, and needs them if the cell contains the delimiter (RFC 4180 section 2). An
 * example is argon2's commas in a file of comma-separated values. An unclosed quotation mark is an ordinary character.
 *
 * @param number counted from 1; 0 for the whole line
 */
record Column(int number, String delimiter) {

    private static final char QUOTE = '"';

    Column {
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("A delimiter has at least one character");
        }
    }

    /** The cell without surrounding spaces and quotation marks; empty if the line has fewer columns. */
    String of(String line) {
        if (number == 0) {
            return line.strip();
        }
        boolean quotes = true;
        int start = 0;
        for (int column = 1; ; column++) {
            int end = -1;
            if (quotes && line.startsWith("\"", start)) {
                end = endOfQuoted(line, start);
                quotes = end >= 0;
            }
            if (end < 0) {
                end = line.indexOf(delimiter, start);
            }
            if (column == number) {
                return unquoted(
                        line.substring(start, end < 0 ? line.length() : end).strip());
            }
            if (end < 0 || end == line.length()) {
                return "";
            }
            start = end + delimiter.length();
        }
    }

    /** The end of a cell that starts with a quotation mark; -1 if the cell has no closing mark. */
    private int endOfQuoted(String line, int start) {
        for (int i = line.indexOf(QUOTE, start + 1); i >= 0; i = line.indexOf(QUOTE, i + 1)) {
            int end = i + 1;
            if (end == line.length() || line.startsWith(delimiter, end)) {
                return end;
            }
            if (line.charAt(end) == QUOTE) {
                i = end;
            }
        }
        return -1;
    }

    private static String unquoted(String cell) {
        boolean quoted = cell.length() > 1 && cell.charAt(0) == QUOTE && cell.charAt(cell.length() - 1) == QUOTE;
        return quoted ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"") : cell;
    }
}
