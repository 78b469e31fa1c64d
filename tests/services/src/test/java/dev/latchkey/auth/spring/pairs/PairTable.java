package dev.latchkey.auth.spring.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * A table of expectations: a section for each column, a line for each row, and an outcome for each stack. {@code -(a)} is a
 * cell without a case; the legend has the reason under the letter.
 */
final class PairTable {

    private static final List<String> STACKS = List.of("servlets", "WebFlux");

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "pairs.md");

    private final Map<String, String> legend = new LinkedHashMap<>();

    /** What is expected, by column, row and stack. */
    private final Map<List<String>, String> cells = new LinkedHashMap<>();

    private final Map<List<String>, String> seen = new LinkedHashMap<>();

    private PairTable() {}

    static PairTable read(String name) throws IOException {
        PairTable table = new PairTable();
        String column = "";
        try (InputStream file = Objects.requireNonNull(PairTable.class.getResourceAsStream(name))) {
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.startsWith("## ")) {
                    column = line.substring(3);
                } else if (line.startsWith("(")) {
                    table.legend.put(line.substring(1, line.indexOf(')')), line.substring(line.indexOf(')') + 2));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    table.add(column, line.split(" \\| ", -1));
                }
            }
        }
        return table;
    }

    private void add(String column, String[] line) {
        assertThat(line).as("row, servlets and WebFlux").hasSize(1 + STACKS.size());
        for (int i = 0; i < STACKS.size(); i++) {
            String before = cells.put(List.of(column, line[0].strip(), STACKS.get(i)), line[i + 1].strip());
            assertThat(before).as(column + " | " + line[0]).isNull();
        }
    }

    /** Whether the cell is tried. A missing cell is tried, so the failure shows the right content. */
    boolean isTried(String column, String row, String stack) {
        String expected = cells.getOrDefault(List.of(column, row, stack), "");
        if (expected.startsWith("-(")) {
            assertThat(legend).containsKey(expected.substring(2, expected.length() - 1));
            seen(column, row, stack, expected);
        }
        return !expected.startsWith("-(");
    }

    void seen(String column, String row, String stack, String outcome) {
        seen.put(List.of(column, row, stack), outcome);
    }

    /** Fails for a wrong cell, a missing expectation, or a cell without a row and a column. */
    void requireAll() {
        List<String> differences = new ArrayList<>();
        seen.forEach((cell, outcome) -> {
            String expected = withoutNote(cells.getOrDefault(cell, "nothing"));
            if (!expected.equals(outcome)) {
                differences.add(String.join(" | ", cell) + ": expected " + expected + ", but was " + outcome);
            }
        });
        TreeSet<String> unknown = new TreeSet<>();
        cells.keySet().stream().filter(cell -> !seen.containsKey(cell)).forEach(cell -> unknown.add(cell.toString()));
        assertThat(differences).as("cells").isEmpty();
        assertThat(unknown).as("cells that nothing fills").isEmpty();
        TreeSet<String> used = new TreeSet<>();
        cells.values().stream()
                .filter(cell -> cell.endsWith(")"))
                .forEach(cell -> used.add(cell.substring(cell.lastIndexOf('(') + 1, cell.length() - 1)));
        assertThat(used).as("legend").isEqualTo(new TreeSet<>(legend.keySet()));
    }

    /** An outcome that is a known gap has a note behind it. */
    private static String withoutNote(String cell) {
        return cell.startsWith("-(") ? cell : cell.replaceAll(" \\([a-z]\\)$", "");
    }

    /** Compares this part of the page, or writes it with {@code -Ddocs=write}. */
    void isShownAs(String part, Map<String, String> columns) throws IOException {
        StringBuilder text = new StringBuilder();
        columns.forEach((column, meaning) -> {
            text.append("\n### ").append(capital(column)).append("\n\n");
            text.append(capital(meaning)).append(".\n\n| | servlets | WebFlux |\n| --- | --- | --- |\n");
            cells.keySet().stream()
                    .filter(cell -> cell.get(0).equals(column) && cell.get(2).equals(STACKS.get(0)))
                    .forEach(cell -> text.append("| ")
                            .append(cell.get(1))
                            .append(" | ")
                            .append(cells.get(cell))
                            .append(" | ")
                            .append(cells.get(List.of(column, cell.get(1), STACKS.get(1))))
                            .append(" |\n"));
        });
        if (!legend.isEmpty()) {
            text.append('\n');
            legend.forEach((letter, reason) -> text.append("- (")
                    .append(letter)
                    .append(") ")
                    .append(reason)
                    .append('\n'));
        }
        text.append('\n');
        compare(part, text.toString());
    }

    private static void compare(String part, String text) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- " + part + " -->\n";
        String end = "<!-- /" + part + " -->";
        assertThat(page).contains(begin, end);
        String made =
                page.substring(0, page.indexOf(begin) + begin.length()) + text + page.substring(page.indexOf(end));
        if ("write".equals(System.getProperty("docs"))) {
            Files.writeString(PAGE, made);
        }
        assertThat(Files.readString(PAGE))
                .as("pairs.md is not what the table says; write it: ./mvnw -Pall -pl tests/services -am test"
                        + " -Dtest=PairsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dsurefire.flags=-Ddocs=write")
                .isEqualTo(made);
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
