package dev.latchkey.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows of text; the first column names the row.
 *
 * @param title the content of the table
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {

    /** @throws IllegalArgumentException if a row has more or fewer cells than there are columns */
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "The table '" + title + "' has " + columns.size() + " columns, but a row of " + row.size());
            }
        }
    }

    /** A row of this name with these figures: counts and measurements. */
    public static List<String> row(String name, Number... figures) {
        Stream<String> shown = Arrays.stream(figures)
                .map(each -> each instanceof Long count ? Figures.show(count) : Figures.show(each.doubleValue()));
        return Stream.concat(Stream.of(name), shown).toList();
    }
}
