package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.login.SprayOutcome.Parallel;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.List;
import java.util.stream.IntStream;

/** What the report says about password spraying. */
final class SpraySection {

    private SpraySection() {}

    /**
     * The section.
     *
     * @param names that were tried
     * @param sources from which they were
     * @param patience attempts after which a newcomer gives up
     */
    static Section of(String id, SprayOutcome outcome, long names, int sources, int patience) {
        List<Integer> tries = outcome.tries();
        Tally known = outcome.known();
        Parallel right = outcome.right();
        Parallel wrong = outcome.wrong();
        long gotIn = tries.stream().filter(attempt -> attempt > 0).count();
        List<Double> byAttempt = IntStream.rangeClosed(1, patience)
                .mapToObj(attempt ->
                        (double) tries.stream().filter(each -> each == attempt).count())
                .toList();
        int latest = IntStream.range(0, byAttempt.size())
                .filter(i -> byAttempt.get(i) > 0)
                .max()
                .orElse(0);
        return new Section(
                id,
                "Spraying",
                "Password spraying, and many logins of one account",
                "A hundred wrong logins a second, over " + show(names) + " names from "
                        + show((long) sources)
                        + " addresses, while a user whose credential is cached goes on and each second somebody new comes from a"
                        + " fresh address. Then " + SprayOutcome.PARALLEL + " right and " + SprayOutcome.PARALLEL
                        + " wrong logins of one account at once.",
                List.of(
                        Goal.atMost(
                                "spray-known",
                                "Requests of the known user refused or failed",
                                (double) known.errors(),
                                0,
                                ""),
                        Goal.atLeast(
                                "spray-newcomers",
                                "Newcomers who got in, coming back after a second when told to",
                                100.0 * gotIn / tries.size(),
                                100,
                                "%"),
                        Goal.atMost("spray-memory", "Live heap more than before", outcome.moreBytes() / 1e6, 64, "MB"),
                        Goal.atMost(
                                "parallel-right",
                                "Parallel right logins answered neither 200 nor 503, of " + SprayOutcome.PARALLEL,
                                (double) SprayOutcome.PARALLEL - right.accepted() - right.overloaded(),
                                0,
                                ""),
                        Goal.atMost(
                                "parallel-wrong",
                                "Parallel wrong logins that cost a hash (the bucket holds 5)",
                                (double) wrong.wrong(),
                                5,
                                "")),
                List.of(Chart.bars(
                        "Newcomers by the attempt that let them in",
                        "people",
                        Scale.LINEAR,
                        IntStream.rangeClosed(1, latest + 1)
                                .mapToObj(i -> "attempt " + i)
                                .toList(),
                        List.of(Series.of("people", byAttempt.subList(0, latest + 1))))),
                List.of(
                        new Table(
                                "Answers",
                                List.of("", "requests", "2xx", "4xx", "503", "p50, ms", "p99, ms"),
                                List.of(
                                        row("known user, before", outcome.calm()),
                                        row("known user, during", known),
                                        row("attack", outcome.attack()))),
                        new Table(
                                SprayOutcome.PARALLEL + " logins of one account at once",
                                List.of("", "200", "401", "429", "503"),
                                List.of(row("right", right), row("wrong", wrong)))),
                List.of(
                        "Of many right logins at once as many wait for a hash as threads may wait, and the rest is told to come back"
                                + " (503); none is told that its password was wrong (401) or that too many were (429).",
                        "Live heap is measured after full collections, with all that the service itself loaded meanwhile."
                                + " The quick pass tries fewer names."));
    }

    private static List<String> row(String title, Parallel logins) {
        return List.of(
                title,
                show(logins.accepted()),
                show(logins.wrong()),
                show(logins.limited()),
                show(logins.overloaded()));
    }

    private static List<String> row(String title, Tally tally) {
        return List.of(
                title,
                show(tally.requests()),
                show(tally.good()),
                show(tally.refused()),
                show(tally.overloaded()),
                show(tally.millisAt(50)),
                show(tally.millisAt(99)));
    }
}
