package dev.latchkey.benchmarks.load;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.ServiceProcess.Starter;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A hundred connections log in for the first time, as fast as they can, while a client asks for something else. */
final class FloodScenario implements Scenario {

    private static final int LOGINS = 100;

    private static final String OURS = "BCrypt + Latchkey";
    private static final String TOLD_AT_ONCE = "the same, refusals told at once";
    private static final String BUSY = "the same, beside eight busy connections";

    private record Outcome(Tally before, Tally during, Tally logins, int dumps, int hashing) {

        double throughput() {
            return 100 * during.perSecond() / before.perSecond();
        }

        double slower() {
            return during.millisAt(99) / before.millisAt(99);
        }
    }

    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    private double inTurnPerSecond;
    private long nextAccount;

    @Override
    public String id() {
        return "flood";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        double poolPerSecond = hashesPerSecond();
        progress.step("one thread hashes " + show(poolPerSecond) + "/s");
        measure(OURS, Starter.PRESENT, 1, effort, progress);
        if (effort == Effort.FULL) {
            measure(TOLD_AT_ONCE, Starter.PRESENT, 1, effort, progress, "latchkey.guard.refusals.delay=0");
            measure(BUSY, Starter.PRESENT, 8, effort, progress);
        }
        measure("BCrypt", Starter.ABSENT, 1, effort, progress);
        return section(poolPerSecond);
    }

    /** What one thread of the pool can do on this machine when nothing else runs; the default pool has cores/2 threads. */
    static double hashesPerSecond() {
        var encoder = new org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder(10);
        String hash = HashPool.STRONG.lines().get(0);
        double[] seconds = new double[15];
        for (int i = 0; i < seconds.length; i++) {
            long begin = System.nanoTime();
            if (!encoder.matches(Accounts.password(0), hash)) {
                throw new IllegalStateException("The hash does not match");
            }
            seconds[i] = (System.nanoTime() - begin) / 1e9;
        }
        Arrays.sort(seconds);
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return threads / seconds[seconds.length / 2];
    }

    private void measure(
            String title, Starter starter, int others, Effort effort, Progress progress, String... properties) {
        Duration duration = effort.pick(Duration.ofSeconds(5), Duration.ofSeconds(30));
        List<String> settings = new ArrayList<>(List.of(
                "server.tomcat.threads.max=10",
                "subject.accounts=100000",
                "subject.hashes=" + HashPool.STRONG.file(),
                Addresses.TRUSTED));
        settings.addAll(List.of(properties));
        try (ServiceProcess service = ServiceProcess.start(starter, settings.toArray(String[]::new));
                ServerView view = ServerView.of(service)) {
            // The service has seen both before: what a cold one does is measured by nobody's peak hour.
            Load.run(service.port(), Connections.OWN, effort.settling(), others(others), logins(LOGINS));
            if (title.equals(OURS)) {
                // The pool has always one to hash and one that waits, and nobody is refused: what the second client
                // leaves it.
                inTurnPerSecond = Load.run(service.port(), Connections.OWN, duration, others(others), logins(2))
                        .get("login")
                        .perSecond();
            }
            Tally before = Load.run(service.port(), Connections.OWN, duration, others(others))
                    .get("other");
            Map<String, Tally> during =
                    Load.run(service.port(), Connections.OWN, duration, others(others), logins(LOGINS));
            // Apart, since a dump stops all threads.
            try (ServerView.Watch watch = view.watch()) {
                Load.run(service.port(), Connections.OWN, effort.warmUp(), others(others), logins(LOGINS));
                Outcome outcome =
                        new Outcome(before, during.get("other"), during.get("login"), watch.looks(), watch.hashing());
                outcomes.put(title, outcome);
                progress.step(title + ": others keep " + show(outcome.throughput()) + "% of "
                        + show(outcome.before().perSecond()) + "/s, p99 × "
                        + show(outcome.slower()) + ", logins "
                        + show(outcome.logins().perSecond()) + "/s, "
                        + outcome.logins().overloaded() + " refused, " + outcome.hashing() + " of " + outcome.dumps()
                        + " dumps with a hash on a request thread");
            }
        }
    }

    private static Crowd others(int connections) {
        return Crowd.closed("others", connections, Call.get("other", "/public/ping"));
    }

    private Crowd logins(int connections) {
        return Crowd.closed(
                        "logins",
                        connections,
                        Call.get("login", "/basic/hello")
                                .withBasic()
                                .with("X-Forwarded-For", user -> Addresses.of(user.number())))
                .beginningWith(user -> user.become(Accounts.name(nextAccount++)));
    }

    private Section section(double poolPerSecond) {
        Outcome ours = outcomes.get(OURS);
        return new Section(
                id(),
                "Login flood",
                "A flood of logins: a hundred connections, each login the first of its account",
                "Ten request threads, BCrypt 10. A second client asks for something that needs no login; first alone, then during"
                        + " the flood.",
                List.of(
                        Goal.atLeast(
                                "flood-throughput",
                                "In a flood of logins, others keep of their throughput",
                                ours.throughput(),
                                45,
                                "%"),
                        Goal.atMost("flood-p99", "Their 99th percentile grows to", ours.slower(), 3, "×"),
                        Goal.atMost(
                                "flood-request-threads",
                                "Thread dumps with a hash on a request thread, of " + ours.dumps(),
                                ours.hashing(),
                                0,
                                ""),
                        Goal.atLeast(
                                "flood-logins",
                                "Logins beside what the pool's threads can hash undisturbed",
                                100 * ours.logins().perSecond() / poolPerSecond,
                                90,
                                "%"),
                        Goal.atLeast(
                                "flood-logins-in-turn",
                                "Logins beside those of two connections alone with the same second client",
                                100 * ours.logins().perSecond() / inTurnPerSecond,
                                90,
                                "%"),
                        Goal.atMost(
                                "flood-401",
                                "Logins refused as wrong (4xx) instead of overloaded (503)",
                                (double) ours.logins().refused(),
                                0,
                                "")),
                List.of(Chart.bars(
                        "Requests of the others per second (more is better)",
                        "requests per second",
                        Scale.LINEAR,
                        List.copyOf(outcomes.keySet()),
                        List.of(
                                Series.of(
                                        "alone",
                                        outcomes.values().stream()
                                                .map(outcome -> outcome.before().perSecond())
                                                .toList()),
                                Series.of(
                                        "during the flood",
                                        outcomes.values().stream()
                                                .map(outcome -> outcome.during().perSecond())
                                                .toList())))),
                List.of(table()),
                notes(poolPerSecond));
    }

    private List<String> notes(double poolPerSecond) {
        List<String> notes = new ArrayList<>(List.of(
                "A refused client that comes back at once is itself a load: each refusal costs the server a request. So a"
                        + " refusal is held for a second, without a thread.",
                "A second client that never pauses takes a part of the hashing thread's core, too, as every thread may that"
                        + " the scheduler is fair to. Two connections that log in beside it, where nobody is refused, show"
                        + " what it leaves: " + show(inTurnPerSecond) + " hashes a second of " + show(poolPerSecond)
                        + " undisturbed."));
        if (outcomes.containsKey(BUSY)) {
            notes.add(
                    "Eight connections that never pause have as many threads that want a core as there are connections, and a"
                            + " scheduler that is fair to threads leaves the one that hashes its share, not a core.");
        }
        return notes;
    }

    private Table table() {
        List<List<String>> rows = new ArrayList<>();
        outcomes.forEach((title, outcome) -> rows.add(List.of(
                title,
                show(outcome.before().millisAt(99)),
                show(outcome.during().millisAt(99)),
                show(outcome.logins().perSecond()),
                show(outcome.logins().overloaded()),
                show(outcome.logins().refused()),
                outcome.hashing() + " of " + outcome.dumps())));
        return new Table(
                "Others and logins",
                List.of("", "others p99 alone, ms", "during", "logins/s", "503", "4xx", "dumps with a hash"),
                rows);
    }
}
