package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A real Nacos server with either plugin, from the file that is kept: {@code auth-nacos} measures it, with a server that no other command downloads. */
public final class NacosScenario implements Scenario {

    private static final String FIRST = "first login of an account";
    private static final String RETURNING = "login of a returning account";
    private static final String BEFORE = "read over HTTP, before the flood";
    private static final String DURING = "read over HTTP, while 1,000 accounts a second log in for the first time";
    private static final String FLOODS = "- The flood of ";

    private static final double SAME = 1;
    private static final double HALF_IN_PERCENT = 50;

    /** The head of what is compared; the table of details behind it has other columns. */
    private static final int COLUMNS = 7;

    private static final Pattern RATE = Pattern.compile("([0-9,.]+); .*");

    /** What both plugins did under one load. */
    private record Row(List<String> cells) {

        String text() {
            return cells.get(0);
        }

        String threads() {
            return cells.get(1);
        }

        double byDefault() {
            return rate(2);
        }

        double latchkey() {
            return rate(3);
        }

        double ratio() {
            return latchkey() / byDefault();
        }

        private double rate(int column) {
            Matcher rate = RATE.matcher(cells.get(column));
            if (!rate.matches()) {
                throw new IllegalArgumentException("There is no rate in '" + cells.get(column) + "'");
            }
            return Double.parseDouble(rate.group(1).replace(",", ""));
        }
    }

    @Override
    public String id() {
        return "nacos";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        return kept();
    }

    /** The section of the figures in {@code results}. */
    public static Section kept() throws IOException {
        return section(KeptTable.of("nacos-server-jdk17.txt"));
    }

    /**
     * The section of this table of what is compared; behind it stands what became of the floods.
     *
     * @throws IllegalArgumentException if one of the rows is not there, or has no rate
     */
    static Section section(KeptTable kept) {
        List<List<String>> cells = kept.rows(COLUMNS);
        List<Row> rows = cells.stream().skip(1).map(Row::new).toList();
        return new Section(
                "nacos",
                "A Nacos server",
                "A Nacos server, with its default plugin and with Latchkey's",
                "One unmodified server after another under the same load, from benchmarks/results: logins, reads by a token, and"
                        + " reads while a thousand accounts a second log in for the first time.",
                goals(rows),
                List.of(
                        logins("First logins (more is better)", Scale.LINEAR, rows(FIRST, rows)),
                        logins(
                                "Logins of accounts that return (more is better)",
                                Scale.LOGARITHMIC,
                                rows(RETURNING, rows)),
                        reads(rows)),
                List.of(new Table("All that is compared", cells.get(0), cells.subList(1, cells.size()))),
                notes(kept));
    }

    private static List<Goal> goals(List<Row> rows) {
        double lowest = rows(FIRST, rows).stream().mapToDouble(Row::ratio).min().orElseThrow();
        double left = 100
                * rows(DURING, rows).get(0).latchkey()
                / rows(BEFORE, rows).get(0).latchkey();
        return List.of(
                Goal.atLeast(
                        "nacos-first-logins",
                        "first logins a second, beside the default plugin's: the lowest of all numbers of threads",
                        hundredths(lowest),
                        SAME,
                        "×"),
                Goal.atLeast(
                        "nacos-flood",
                        "reads a second that are left while 1,000 accounts a second log in for the first time",
                        hundredths(left),
                        HALF_IN_PERCENT,
                        "%"));
    }

    private static double hundredths(double figure) {
        return Math.round(100 * figure) / 100.0;
    }

    private static List<Row> rows(String text, List<Row> rows) {
        List<Row> found = rows.stream().filter(row -> row.text().equals(text)).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("No row is called '" + text + "'");
        }
        return found;
    }

    private static Chart logins(String title, Scale scale, List<Row> rows) {
        return both(
                title,
                scale,
                rows.stream().map(row -> row.threads() + " threads").toList(),
                rows);
    }

    private static Chart reads(List<Row> rows) {
        List<Row> both =
                Stream.of(BEFORE, DURING).map(text -> rows(text, rows).get(0)).toList();
        return both(
                "Reads of ten clients, alone and in the flood (more is better)",
                Scale.LINEAR,
                List.of("alone", "in the flood"),
                both);
    }

    private static Chart both(String title, Scale scale, List<String> labels, List<Row> rows) {
        return Chart.bars(
                title,
                "per second",
                scale,
                labels,
                List.of(series("default plugin", Row::byDefault, rows), series("Latchkey", Row::latchkey, rows)));
    }

    private static Series series(String name, ToDoubleFunction<Row> rate, List<Row> rows) {
        return Series.of(name, rows.stream().mapToDouble(rate).boxed().toList());
    }

    private static List<String> notes(KeptTable kept) {
        List<String> notes = new ArrayList<>();
        notes.add(kept.measuring());
        kept.lines().stream()
                .filter(line -> line.startsWith(FLOODS))
                .map(line -> line.substring(2))
                .forEach(notes::add);
        return notes;
    }
}
