package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.token.TokenScenario.Service;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** What the report says about tokens behind HTTP. */
record TokenSection(
        String id, Map<Service, Map<Integer, List<Tally>>> queries, Map<Service, Map<Integer, Tally>> logins) {

    /** The section. */
    Section of() {
        double gain = Figures.median(TokenScenario.THREADS.stream()
                .map(threads -> rate(Service.LATCHKEY, threads) / rate(Service.JJWT, threads))
                .toList());
        double once = Figures.median(TokenScenario.THREADS.stream()
                .map(threads -> rate(Service.ONCE, threads) / rate(Service.JJWT, threads))
                .toList());
        double login = Figures.median(TokenScenario.THREADS.stream()
                .map(threads -> logins.get(Service.LATCHKEY).get(threads).perSecond()
                        / logins.get(Service.JJWT).get(threads).perSecond())
                .toList());
        long errors = queries.values().stream()
                .flatMap(levels -> levels.values().stream())
                .flatMap(List::stream)
                .mapToLong(Tally::errors)
                .sum();
        return new Section(
                id,
                "Tokens",
                "A Nacos-like server: login, and a query that carries a token",
                "The query checks its token twice, as the server that this re-tells does: once to know the caller, once to"
                        + " authorise. The logins are of " + TokenScenario.RETURNING
                        + " accounts that come back, with BCrypt 10 behind them.",
                List.of(
                        Goal.atLeast(
                                "tokens-query", "Queries with Latchkey beside jjwt, median of the rows", gain, 1, "×"),
                        Goal.atLeast("tokens-once", "The same, with the token checked once", once, 1, "×"),
                        Goal.atLeast("tokens-login", "Logins with Latchkey beside jjwt and BCrypt", login, 10, "×"),
                        Goal.atMost("tokens-errors", "Queries that failed", (double) errors, 0, "")),
                List.of(
                        Chart.lines(
                                "Queries per second (more is better)",
                                "threads",
                                Scale.LINEAR,
                                "queries/s",
                                Scale.LINEAR,
                                series(service -> threads -> rate(service, threads))),
                        Chart.lines(
                                "99th percentile of a query (less is better)",
                                "threads",
                                Scale.LINEAR,
                                "ms",
                                Scale.LINEAR,
                                series(service ->
                                        threads -> last(service, threads).millisAt(99)))),
                List.of(table("Queries", queryRows()), table("Logins", loginRows())),
                List.of(
                        "HTTP, the servlet container and the generator cost many times what a token does, so the gain of a"
                                + " faster token is small here; the tokens alone are measured below."));
    }

    private Tally last(Service service, int threads) {
        List<Tally> rounds = queries.get(service).get(threads);
        return rounds.get(rounds.size() - 1);
    }

    private static List<Series> series(Function<Service, IntToDoubleFunction> figure) {
        List<Series> series = new ArrayList<>();
        for (Service service : Service.values()) {
            series.add(new Series(
                    service.title,
                    TokenScenario.THREADS.stream()
                            .map(threads ->
                                    new Point(threads, figure.apply(service).applyAsDouble(threads)))
                            .toList()));
        }
        return series;
    }

    private static Table table(String title, List<List<String>> rows) {
        return new Table(title, List.of("", "per second", "mean, ms", "p90", "p95", "p99", "errors"), rows);
    }

    private List<List<String>> queryRows() {
        List<List<String>> rows = new ArrayList<>();
        for (int threads : TokenScenario.THREADS) {
            for (Service service : Service.values()) {
                rows.add(row(threads, service, rate(service, threads), last(service, threads)));
            }
        }
        return rows;
    }

    private List<List<String>> loginRows() {
        List<List<String>> rows = new ArrayList<>();
        for (int threads : TokenScenario.THREADS) {
            logins.forEach((service, tallies) ->
                    rows.add(row(threads, service, tallies.get(threads).perSecond(), tallies.get(threads))));
        }
        return rows;
    }

    private static List<String> row(int threads, Service service, double rate, Tally tally) {
        return List.of(
                threads + " threads, " + service.title,
                show(rate),
                show(tally.meanMillis()),
                show(tally.millisAt(90)),
                show(tally.millisAt(95)),
                show(tally.millisAt(99)),
                show(tally.errors()));
    }

    /** Queries per second, the median of the rounds. */
    double rate(Service service, int threads) {
        return Figures.median(
                queries.get(service).get(threads).stream().map(Tally::perSecond).toList());
    }
}
