package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A real Nacos server with either plugin, from a kept file: {@code auth-nacos} measures with a server of its own. */
public final class NacosScenario implements Scenario {

    private static final String FLOOR =
            "The goal of first logins is the floor: two hashes at a time leave the compilers of the virtual"
                    + " machine a larger share than the default plugin's ten (results/nacos-profile-jdk17.txt).";
    private static final String FIRST = "first login of an account";
    private static final String BEFORE = "read over HTTP, before the flood";
    private static final String DURING = "read over HTTP, while 1,000 accounts a second log in for the first time";
    private static final String FLOODS = "- The flood of ";

    /** The columns of the comparison; the table of details has other columns. */
    private static final int COLUMNS = 7;

    private static final int BY_DEFAULT = 2;
    private static final int LATCHKEY = 3;

    private static final Pattern RATE = Pattern.compile("^([0-9,.]+);");

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        return section(KeptTable.of("nacos-server-jdk17.txt"));
    }

    /**
     * The comparison in this table, with the results of the floods after it.
     *
     * @throws IllegalArgumentException if a row is missing, or has no rate
     */
    static Section section(KeptTable kept) {
        List<List<String>> cells = kept.rows(COLUMNS);
        List<List<String>> rows = cells.subList(1, cells.size());
        double lowest = rows.stream()
                .filter(row -> row.get(0).equals(FIRST))
                .mapToDouble(row -> rate(row, LATCHKEY) / rate(row, BY_DEFAULT))
                .min()
                .orElseThrow(() -> new IllegalArgumentException("No row begins with '" + FIRST + "'"));
        double left = 100 * rate(KeptTable.row(DURING, rows), LATCHKEY) / rate(KeptTable.row(BEFORE, rows), LATCHKEY);
        List<String> notes = new ArrayList<>();
        notes.add(kept.measuring());
        kept.lines().stream()
                .filter(line -> line.startsWith(FLOODS))
                .map(line -> line.substring(2))
                .forEach(notes::add);
        notes.add(FLOOR);
        return new Section(
                "nacos",
                "A Nacos server",
                "A Nacos server, with its default plugin and with Latchkey's",
                "One unmodified server after another under the same load, from benchmarks/results: logins, reads by a token, and"
                        + " reads while a thousand accounts a second log in for the first time.",
                List.of(
                        Goal.atLeast(
                                "nacos-first-logins",
                                "first logins a second, beside the default plugin's: the lowest of all numbers of threads",
                                hundredths(lowest),
                                0.85,
                                "×"),
                        Goal.atLeast(
                                "nacos-flood",
                                "reads a second that are left while 1,000 accounts a second log in for the first time",
                                hundredths(left),
                                50,
                                "%")),
                List.of(),
                List.of(new Table("All that is compared", cells.get(0), rows)),
                notes);
    }

    private static double rate(List<String> row, int column) {
        return Double.parseDouble(KeptTable.find(RATE, row.get(column)).group(1).replace(",", ""));
    }

    private static double hundredths(double figure) {
        return Math.round(100 * figure) / 100.0;
    }
}
