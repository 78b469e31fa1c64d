package dev.latchkey.benchmarks.load.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kept file in {@code results}, measured by another command: the method of measurement up to an empty line, then tables in
 * Markdown.
 *
 * @param lines of the file
 */
record KeptTable(List<String> lines) {

    KeptTable {
        lines = List.copyOf(lines);
    }

    static KeptTable of(String file) throws IOException {
        return new KeptTable(Files.readAllLines(Path.of(System.getProperty("benchmarks.home"), "results", file)));
    }

    /** The method of measurement, in a line. */
    String measuring() {
        return String.join(" ", lines.subList(0, lines.indexOf("")));
    }

    /** The cells of all rows of so many columns, the head's first. */
    List<List<String>> rows(int columns) {
        return lines.stream()
                .map(KeptTable::cells)
                .filter(row -> row.size() == columns && !row.get(0).startsWith("---"))
                .toList();
    }

    /**
     * The row with this beginning.
     *
     * @throws IllegalArgumentException if there is none
     */
    static List<String> row(String begins, List<List<String>> rows) {
        return rows.stream()
                .filter(row -> row.get(0).startsWith(begins))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No row begins with '" + begins + "'"));
    }

    /**
     * The first match of the pattern in this cell.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Matcher find(Pattern pattern, String cell) {
        Matcher matcher = pattern.matcher(cell);
        if (!matcher.find()) {
            throw new IllegalArgumentException("There is no figure in '" + cell + "'");
        }
        return matcher;
    }

    private static List<String> cells(String line) {
        return line.startsWith("| ") && line.endsWith("|")
                ? Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::trim)
                        .toList()
                : List.of();
    }
}
