package dev.latchkey.benchmarks.load.login;

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
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.WarmUp;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Users arrive at a steady rate, independent of earlier users. Each user makes a request on a new connection. */
public final class ArrivalScenario implements Scenario {

    private static final List<Integer> RATES = List.of(40, 200, 1_000, 2_000);
    private static final int ACCOUNTS = 64;
    private static final String PLAIN = "no hash";
    private static final String LATCHKEY = "BCrypt + Latchkey";

    private final Map<String, Tally> measured = new LinkedHashMap<>();

    @Override
    public double seconds(Effort effort) {
        return effort.seconds(3, 0, 0, 3) + (2 * RATES.size() + 1) * window(effort) + ACCOUNTS / 10.0;
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Duration duration = Duration.ofSeconds(window(effort));
        try (ServiceProcess service = ServiceProcess.start(Set.of(), HashPool.BCRYPT)) {
            // Fewer than the service can hash, so that nothing is left for the measurement.
            WarmUp.run(
                    List.of(service),
                    effort,
                    () -> Load.run(service.port(), Connections.NEW_EACH, effort.warmUp(), crowd(10)));
            WarmUp.awaitIdle(service);
            measure("BCrypt", service, RATES.get(0), duration, progress);
        }
        try (ServiceProcess latchkey = ServiceProcess.start(Set.of(Addition.STARTER), HashPool.BCRYPT);
                ServiceProcess plain = ServiceProcess.start(Set.of(), HashPool.NONE)) {
            progress.step(ACCOUNTS + " users log in for the first time");
            new Visitor(latchkey.port()).logInAll(Accounts.first(ACCOUNTS));
            List<ServiceProcess> both = List.of(latchkey, plain);
            WarmUp.run(
                    both,
                    effort,
                    () -> both.forEach(
                            service -> Load.run(service.port(), Connections.NEW_EACH, effort.warmUp(), crowd(1_000))));
            for (int rate : RATES) {
                measure(LATCHKEY, latchkey, rate, duration, progress).answered(LATCHKEY);
                measure(PLAIN, plain, rate, duration, progress).answered(PLAIN);
            }
        }
        return section();
    }

    private static int window(Effort effort) {
        return effort.pick(2, 12);
    }

    private Tally measure(String title, ServiceProcess service, int rate, Duration duration, Progress progress) {
        Tally tally = Load.run(service.port(), Connections.NEW_EACH, duration, crowd(rate))
                .get("request");
        measured.put(key(rate, title), tally);
        progress.step(rate + " users/s, " + title + ": p99 " + show(tally.goodMillisAt(99)) + " ms, "
                + show(tally.unanswered()) + " unanswered");
        return tally;
    }

    private static String key(int rate, String service) {
        return rate + "/s, " + service;
    }

    private static Crowd crowd(int rate) {
        return Crowd.arriving("users", rate, Call.get("request", "/basic/hello").withBasic())
                .inTurn(Accounts.first(ACCOUNTS));
    }

    private Section section() {
        Tally ours = measured.get(key(2_000, LATCHKEY));
        return new Section(
                "arrivals",
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
                List.of(new Chart(
                        "99th percentile of the response time (less is better)",
                        "ms",
                        Scale.LOGARITHMIC,
                        RATES.stream()
                                .map(rate -> show((long) rate) + " users per second")
                                .toList(),
                        Stream.of(PLAIN, LATCHKEY)
                                .map(title -> Series.of(
                                        title,
                                        RATES,
                                        rate -> measured.get(key(rate, title)).goodMillisAt(99)))
                                .toList())),
                List.of(new Table(
                        "Response times",
                        List.of("", "users", "answered", "unanswered", "p50, ms", "p90", "p95", "p99"),
                        measured.entrySet().stream()
                                .map(each -> row(each.getKey(), each.getValue()))
                                .toList())),
                List.of(
                        "Times run from the moment a user arrives, connecting included, until the first byte of the answer;"
                                + " users without an answer are in no percentile.",
                        "BCrypt alone is far over its limit at 200 a second already."));
    }

    private static List<String> row(String title, Tally tally) {
        return Table.row(
                title,
                tally.requests(),
                tally.good(),
                tally.unanswered(),
                tally.goodMillisAt(50),
                tally.goodMillisAt(90),
                tally.goodMillisAt(95),
                tally.goodMillisAt(99));
    }
}
