package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cost of sharing state between nodes, from a kept file: {@code examples/several-nodes} measures with its own stores. */
public final class NodesScenario implements Scenario {

    private static final int COLUMNS = 3;

    private static final Pattern FIGURE = Pattern.compile("([0-9.]+) (×|%|ms|s)");

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        return section(KeptTable.of("several-nodes-jdk17.txt"));
    }

    /**
     * The section of this table.
     *
     * @throws IllegalArgumentException if a row is missing, or has no figure
     */
    static Section section(KeptTable kept) {
        List<List<String>> rows = kept.rows(COLUMNS).stream().skip(1).toList();
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
                List.of(),
                List.of(new Table("All that was measured", List.of("", "measured", "aim"), rows)),
                List.of(kept.measuring()));
    }

    private static Goal goal(String id, Goal.Bound bound, String begins, List<List<String>> rows) {
        List<String> row = KeptTable.row(begins, rows);
        Matcher measured = figure(row.get(1));
        Matcher aim = figure(row.get(2));
        if (!measured.group(2).equals(aim.group(2))) {
            throw new IllegalArgumentException("Measured and aim have different units: " + row);
        }
        return new Goal(
                id,
                row.get(0),
                Double.parseDouble(measured.group(1)),
                bound,
                Double.parseDouble(aim.group(1)),
                aim.group(2));
    }

    /** The percentile if present, otherwise the first figure. */
    private static Matcher figure(String text) {
        return KeptTable.find(FIGURE, text.substring(Math.max(0, text.indexOf("p99 "))));
    }
}
