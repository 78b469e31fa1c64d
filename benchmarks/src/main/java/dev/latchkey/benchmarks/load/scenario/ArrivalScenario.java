package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.Visitor;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Series.Point;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Users who arrive at a steady rate whatever becomes of those before them; each makes one request on its own connection. */
final class ArrivalScenario implements Scenario {

    private static final List<Integer> RATES = List.of(40, 200, 1_000, 2_000);
    private static final int ACCOUNTS = 64;

    private record Row(String service, int rate, Tally tally) {}

    private final List<Row> rows = new ArrayList<>();

    @Override
    public String id() {
        return "arrivals";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Duration duration = effort.pick(Duration.ofSeconds(2), Duration.ofSeconds(12));
        List<Integer> ratesOfBcrypt = effort.pick(RATES.subList(0, 1), RATES);
        for (int rate : ratesOfBcrypt) {
            // A new process each time: what one overload left behind must not be the next one's.
            try (ServiceProcess service =
                    ServiceProcess.start(Starter.ABSENT, "subject.hashes=" + HashPool.STRONG.file())) {
                measure("BCrypt", service, rate, duration, progress);
            }
        }
        try (ServiceProcess latchkey =
                        ServiceProcess.start(Starter.PRESENT, "subject.hashes=" + HashPool.STRONG.file());
                ServiceProcess plain = ServiceProcess.start(
                        Starter.ABSENT, "subject.hashing=NONE", "subject.hashes=" + HashPool.NONE.file())) {
            progress.step(ACCOUNTS + " users log in for the first time");
            new Visitor(latchkey.port())
                    .logInAll(IntStream.range(0, ACCOUNTS)
                            .mapToObj(Accounts::name)
                            .toList());
            for (ServiceProcess service : List.of(latchkey, plain)) {
                Load.run(service.port(), Connections.NEW_EACH, effort.warmUp(), crowd(1_000));
            }
            for (int rate : RATES) {
                measure("BCrypt + Latchkey", latchkey, rate, duration, progress);
                measure("no hash", plain, rate, duration, progress);
            }
        }
        return section(ratesOfBcrypt);
    }

    private void measure(String title, ServiceProcess service, int rate, Duration duration, Progress progress) {
        Tally tally = Load.run(service.port(), Connections.NEW_EACH, duration, crowd(rate))
                .get("request");
        rows.add(new Row(title, rate, tally));
        progress.step(rate + " users/s, " + title + ": p99 " + show(tally.goodMillisAt(99)) + " ms, "
                + show(tally.unanswered()) + " unanswered");
    }

    private static Crowd crowd(int rate) {
        int[] next = {0};
        return Crowd.arriving("users", rate, Call.get("request", "/basic/hello").withBasic())
                .beginningWith(user -> user.become(Accounts.name(next[0]++ % ACCOUNTS)));
    }

    private Row row(String service, int rate) {
        return rows.stream()
                .filter(row -> row.service().equals(service) && row.rate() == rate)
                .findFirst()
                .orElseThrow();
    }

    private Section section(List<Integer> ratesOfBcrypt) {
        Tally ours = row("BCrypt + Latchkey", 2_000).tally();
        return new Section(
                id(),
                "Arrivals",
                "Users arriving at 40 to 2,000 a second",
                "The open model: users arrive at random moments, at this rate on average, and do not wait for each other. "
                        + ACCOUNTS + " accounts, which have logged in before.",
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
                                        percentiles("no hash", RATES),
                                        percentiles("BCrypt + Latchkey", RATES),
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
                        ratesOfBcrypt.size() == RATES.size()
                                ? "BCrypt was started anew for each rate."
                                : "BCrypt was started anew for each rate, and is far over its limit at 200 a second already; the"
                                        + " full pass has its higher rates."));
    }

    private Series percentiles(String service, List<Integer> rates) {
        return new Series(
                service,
                rates.stream()
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
                rows.stream()
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
}
