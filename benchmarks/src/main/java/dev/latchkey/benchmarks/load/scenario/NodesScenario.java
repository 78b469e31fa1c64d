package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What several nodes share and what that costs, from the file that is kept: {@code examples/several-nodes} measures it, with stores of its own. */
public final class NodesScenario implements Scenario {

    private static final int COLUMNS = 3;

    private static final Pattern FIGURE = Pattern.compile("([0-9.]+) (×|%|ms|s)");
    private static final Pattern RATE = Pattern.compile("([0-9]+)/s");

    /** A row that ends with what was aimed at. */
    private record Row(String text, String measured, String aim) {}

    @Override
    public String id() {
        return "nodes";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        return kept();
    }

    /** The section of the figures in {@code results}. */
    public static Section kept() throws IOException {
        return section(KeptTable.of("several-nodes-jdk17.txt"));
    }

    /**
     * The section of this table.
     *
     * @throws IllegalArgumentException if one of the rows is not there, or has no figure
     */
    static Section section(KeptTable kept) {
        List<Row> rows = kept.rows(COLUMNS).stream()
                .skip(1)
                .map(row -> new Row(row.get(0), row.get(1), row.get(2)))
                .toList();
        return new Section(
                "nodes",
                "Several nodes",
                "Several nodes of one service, and what they share",
                "Whole services on one Redis, from benchmarks/results. A check of a token asks no server; logouts, logins and the limits of failed ones are"
                        + " shared.",
                List.of(
                        goal(
                                "nodes-verify-time",
                                Goal.Bound.AT_MOST,
                                "verify with shared revocation, beside in memory: time",
                                rows),
                        goal(
                                "nodes-verify-bytes",
                                Goal.Bound.AT_MOST,
                                "verify with shared revocation, beside in memory: allocation",
                                rows),
                        goal("nodes-start", Goal.Bound.AT_MOST, "a node's start", rows),
                        goal("nodes-logout", Goal.Bound.AT_MOST, "a logout seen by", rows),
                        goal("nodes-logins", Goal.Bound.AT_LEAST, "logins/s", rows)),
                List.of(
                        rates(
                                "Logins of returning users, three nodes",
                                List.of("shared limits", "local limits"),
                                row("logins/s", rows)),
                        rates(
                                "Refreshes of one node, by where its logins are",
                                List.of("Redis", "PostgreSQL", "memory"),
                                row("refreshes/s", rows))),
                List.of(new Table(
                        "All that was measured",
                        List.of("", "measured", "aim"),
                        rows.stream()
                                .map(row -> List.of(row.text(), row.measured(), row.aim()))
                                .toList())),
                List.of(kept.measuring()));
    }

    private static Row row(String begins, List<Row> rows) {
        return rows.stream()
                .filter(row -> row.text().startsWith(begins))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No row begins with '" + begins + "'"));
    }

    private static Goal goal(String id, Goal.Bound bound, String begins, List<Row> rows) {
        Row row = row(begins, rows);
        Matcher measured = figure(row.measured());
        Matcher aim = figure(row.aim());
        if (!measured.group(2).equals(aim.group(2))) {
            throw new IllegalArgumentException("Measured and aim have different units: " + row);
        }
        return new Goal(
                id,
                row.text(),
                Double.parseDouble(measured.group(1)),
                bound,
                Double.parseDouble(aim.group(1)),
                aim.group(2));
    }

    /** The percentile where there is one, and otherwise what comes first. */
    private static Matcher figure(String text) {
        Matcher figure = FIGURE.matcher(text.substring(Math.max(0, text.indexOf("p99 "))));
        if (!figure.find()) {
            throw new IllegalArgumentException("There is no figure in '" + text + "'");
        }
        return figure;
    }

    private static Chart rates(String title, List<String> labels, Row row) {
        List<Double> rates = RATE.matcher(row.measured())
                .results()
                .map(rate -> Double.valueOf(rate.group(1)))
                .toList();
        if (rates.size() != labels.size()) {
            throw new IllegalArgumentException("Of " + labels + " there are not all rates in '" + row.measured() + "'");
        }
        return Chart.bars(
                title + " (more is better)", "per second", Scale.LINEAR, labels, List.of(Series.of("rate", rates)));
    }
}
