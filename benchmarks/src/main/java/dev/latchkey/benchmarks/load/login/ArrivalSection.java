package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import dev.latchkey.benchmarks.report.Table;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the report says about users who arrive at a steady rate.
 *
 * @param rates that were measured, in users a second
 * @param ratesOfBcrypt those of them at which BCrypt was measured too
 * @param accounts whose users they are
 */
record ArrivalSection(List<Arrivals> measured, List<Integer> rates, List<Integer> ratesOfBcrypt, int accounts) {

    /** The section. */
    Section of(String id) {
        Tally ours = row("BCrypt + Latchkey", 2_000).tally();
        return new Section(
                id,
                "Arrivals",
                "Users arriving at 40 to 2,000 a second",
                "The open model: users arrive at random moments, at this rate on average, and do not wait for each other. "
                        + accounts + " accounts, which have logged in before.",
                List.of(
                        Goal.atLeast(
                                "arrivals-answered",
                                "Users answered at 2,000 a second, with BCrypt + Latchkey",
                                100.0 * ours.good() / ours.requests(),
                                99.9,
                                "%"),
                        Goal.atMost("arrivals-p99", "Their 99th percentile", ours.goodMillisAt(99), 1_000, "ms")),
                List.of(
                        Chart.lines(
                                "99th percentile of the response time (less is better)",
                                "users per second",
                                Scale.LOGARITHMIC,
                                "ms",
                                Scale.LOGARITHMIC,
                                List.of(
                                        percentiles("no hash", rates),
                                        percentiles("BCrypt + Latchkey", rates),
                                        percentiles("BCrypt", ratesOfBcrypt))),
                        Chart.lines(
                                "Users waiting for their answer (less is better)",
                                "seconds",
                                Scale.LINEAR,
                                "users",
                                Scale.LOGARITHMIC,
                                List.of(
                                        waiting("no hash", 2_000),
                                        waiting("BCrypt + Latchkey", 2_000),
                                        waiting("BCrypt", 40)))),
                List.of(table()),
                List.of(
                        "Times run from the moment a user arrives, connecting included, until the first byte of the answer;"
                                + " users without an answer are in no percentile.",
                        ratesOfBcrypt.size() == rates.size()
                                ? "BCrypt was started anew for each rate."
                                : "BCrypt was started anew for each rate, and is far over its limit at 200 a second already; the"
                                        + " full pass has its higher rates."));
    }

    private Series percentiles(String service, List<Integer> at) {
        return new Series(
                service,
                at.stream()
                        .map(rate -> new Point(rate, row(service, rate).tally().goodMillisAt(99)))
                        .toList());
    }

    private Series waiting(String service, int rate) {
        List<Double> waiting = row(service, rate).tally().waiting();
        List<Point> points = IntStream.range(0, waiting.size())
                .mapToObj(bin -> new Point(bin * Tally.BIN_SECONDS, Math.max(1, waiting.get(bin))))
                .toList();
        return new Series(service + " at " + rate + "/s", points);
    }

    private Table table() {
        return new Table(
                "Response times",
                List.of("", "users", "answered", "unanswered", "p50, ms", "p90", "p95", "p99"),
                measured.stream()
                        .map(row -> List.of(
                                row.rate() + "/s, " + row.service(),
                                show(row.tally().requests()),
                                show(row.tally().good()),
                                show(row.tally().unanswered()),
                                show(row.tally().goodMillisAt(50)),
                                show(row.tally().goodMillisAt(90)),
                                show(row.tally().goodMillisAt(95)),
                                show(row.tally().goodMillisAt(99))))
                        .toList());
    }

    private Arrivals row(String service, int rate) {
        return measured.stream()
                .filter(row -> row.service().equals(service) && row.rate() == rate)
                .findFirst()
                .orElseThrow();
    }
}
