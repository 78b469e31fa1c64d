package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.login.RefusalCosts.Kind;
import dev.latchkey.benchmarks.load.login.RefusalCosts.Telling;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the report says about refused logins. */
final class RefusalSection {

    private RefusalSection() {}

    /**
     * The section.
     *
     * @param connections so many answers were held at a time
     */
    static Section of(String id, RefusalCosts costs, int rounds, int requests, int connections) {
        List<Goal> goals = new ArrayList<>();
        for (Telling telling : Telling.values()) {
            for (Kind kind : List.of(Kind.LIMITED, Kind.OVERLOADED)) {
                goals.add(Goal.atMost(
                        "refusals-" + kind.title + "-"
                                + telling.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        "Processor time of a login refused with " + kind.title + ", " + telling.title
                                + ", beside a 200",
                        costs.times(telling, kind),
                        2,
                        "×"));
            }
        }
        return new Section(
                id,
                "Refusals",
                "What a refused login costs",
                "The plain service with the starter. " + connections + " connections send, in each of " + rounds
                        + " rounds, "
                        + show((long) requests)
                        + " requests that are answered, and as many that are refused: wrong passwords of one account beyond its limit"
                        + " (429), and first logins while the one permit to hash is taken (503).",
                goals,
                List.of(Chart.bars(
                        "Processor time per request, µs (less is better)",
                        "µs",
                        Scale.LINEAR,
                        Arrays.stream(Kind.values()).map(kind -> kind.title).toList(),
                        Arrays.stream(Telling.values())
                                .map(telling -> Series.of(
                                        telling.title,
                                        Arrays.stream(Kind.values())
                                                .map(kind ->
                                                        costs.of(telling, kind).median(Cost::micros))
                                                .toList()))
                                .toList())),
                List.of(table(costs)),
                List.of(
                        "A refusal is held for a second by default, without a thread. Here it is held for 20 ms, which costs the same"
                                + " and keeps the run short.",
                        "A hash that has the permit runs on a thread of its own meanwhile, whose time is left out; the 200 beside"
                                + " which the 503 stands was measured next to the same hash. An answer is 200 because the cache knows"
                                + " its password."));
    }

    private static Table table(RefusalCosts costs) {
        List<List<String>> rows = new ArrayList<>();
        for (Telling telling : Telling.values()) {
            for (Kind kind : Kind.values()) {
                Costs these = costs.of(telling, kind);
                rows.add(List.of(
                        kind.title + ", refusals " + telling.title,
                        show(these.median(Cost::micros)),
                        show(these.least(Cost::micros)),
                        show(costs.times(telling, kind)),
                        show(these.median(Cost::bytes))));
            }
        }
        return new Table("One request", List.of("", "µs, median", "least", "beside a 200, ×", "bytes"), rows);
    }
}
