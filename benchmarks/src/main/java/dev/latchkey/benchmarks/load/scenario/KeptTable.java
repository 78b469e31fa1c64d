package dev.latchkey.benchmarks.load.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A file that is kept in {@code results} and that another command has measured: how it was measured, up to an empty line, and then tables in Markdown.
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

    /** How it was measured, in one line. */
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

    private static List<String> cells(String line) {
        return line.startsWith("| ") && line.endsWith("|")
                ? Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::trim)
                        .toList()
                : List.of();
    }
}
