package dev.latchkey.benchmarks.load;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.ServiceProcess.Starter;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A hundred connections log in for the first time, as fast as they can, while a client asks for something else. */
final class FloodScenario implements Scenario {

    private static final int LOGINS = 100;

    private static final String OURS = "BCrypt + Latchkey";
    private static final String TOLD_AT_ONCE = "the same, refusals told at once";
    private static final String BUSY = "the same, beside eight busy connections";

    private record Outcome(List<FloodRound> rounds, int dumps, int hashing) {

        double median(ToDoubleFunction<FloodRound> figure) {
            return Figures.median(rounds.stream().mapToDouble(figure).boxed().toList());
        }

        double logins() {
            return median(round -> round.logins().perSecond());
        }

        long sum(ToLongFunction<Tally> count) {
            return rounds.stream().map(FloodRound::logins).mapToLong(count).sum();
        }
    }

    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    private long nextAccount;

    @Override
    public String id() {
        return "flood";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        double alone = BareHashing.ofAnIdleMachine();
        progress.step("one thread hashes " + show(alone) + "/s");
        measure(OURS, Starter.PRESENT, 1, effort, progress);
        if (effort == Effort.FULL) {
            measure(TOLD_AT_ONCE, Starter.PRESENT, 1, effort, progress, "latchkey.guard.refusals.delay=0");
            measure(BUSY, Starter.PRESENT, 8, effort, progress);
        }
        measure("BCrypt", Starter.ABSENT, 1, effort, progress);
        return section(alone);
    }

    private void measure(
            String title, Starter starter, int others, Effort effort, Progress progress, String... properties) {
        List<String> settings = new ArrayList<>(List.of(
                "server.tomcat.threads.max=10",
                "subject.accounts=100000",
                "subject.hashes=" + HashPool.STRONG.file(),
                Addresses.TRUSTED));
        settings.addAll(List.of(properties));
        try (ServiceProcess service = ServiceProcess.start(starter, settings.toArray(String[]::new));
                ServerView view = ServerView.of(service)) {
            Load.run(service.port(), Connections.OWN, effort.warmUp(), others(others));
            if (starter == Starter.PRESENT) {
                // What a cold service does is measured by nobody's peak hour. A path that is taken a hundred times a
                // second takes a minute until it is compiled for good; here it is taken more often.
                Load.run(service.port(), Connections.OWN, effort.settling(), others(others), logins(5 * LOGINS));
            }
            List<FloodRound> rounds = new ArrayList<>();
            // Where others wait for seconds one round says it all.
            for (int i = 0; i < (starter == Starter.PRESENT ? effort.pick(3, 5) : 1); i++) {
                rounds.add(round(service, others, effort));
            }
            // Apart, since a dump stops all threads.
            try (ServerView.Watch watch = view.watch()) {
                Load.run(service.port(), Connections.OWN, effort.warmUp(), others(others), logins(LOGINS));
                Outcome outcome = new Outcome(rounds, watch.looks(), watch.hashing());
                outcomes.put(title, outcome);
                progress.step(title + ": others keep " + show(outcome.median(FloodRound::throughput)) + "%, p99 × "
                        + show(outcome.median(FloodRound::slower)) + " (without logins "
                        + show(outcome.median(FloodRound::slowerWithoutLogins)) + "), logins " + show(outcome.logins())
                        + "/s of "
                        + show(outcome.median(FloodRound::bareHashes)) + ", "
                        + outcome.sum(Tally::overloaded) + " refused, " + outcome.hashing() + " of " + outcome.dumps()
                        + " dumps with a hash on a request thread");
            }
        }
    }

    private FloodRound round(ServiceProcess service, int others, Effort effort) {
        Tally before = Load.run(service.port(), Connections.OWN, effort.measured(), others(others))
                .get("other");
        Duration flood = effort.pick(Duration.ofSeconds(4), Duration.ofSeconds(15));
        BareHashing bare = BareHashing.begin();
        Tally beside = Load.run(service.port(), Connections.OWN, flood, others(others), visitors())
                .get("other");
        double bareHashes = bare.perSecond();
        Map<String, Tally> during = Load.run(service.port(), Connections.OWN, flood, others(others), logins(LOGINS));
        return new FloodRound(before, beside, bareHashes, during.get("other"), during.get("login"));
    }

    private static Crowd others(int connections) {
        return Crowd.closed("others", connections, Call.get("other", "/public/ping"));
    }

    /** As many requests as a flood's refusals are, of a kind that is never refused. */
    private static Crowd visitors() {
        return Crowd.arriving("visitors", LOGINS, Call.get("visitor", "/public/ping"));
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

    private Section section(double alone) {
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
                                ours.median(FloodRound::throughput),
                                45,
                                "%"),
                        Goal.atMost(
                                "flood-p99", "Their 99th percentile grows to", ours.median(FloodRound::slower), 3, "×"),
                        Goal.atMost(
                                "flood-request-threads",
                                "Thread dumps with a hash on a request thread, of " + ours.dumps(),
                                ours.hashing(),
                                0,
                                ""),
                        Goal.atLeast(
                                "flood-logins",
                                "Logins beside what the pool's threads can hash undisturbed",
                                100 * ours.logins() / alone,
                                90,
                                "%"),
                        Goal.atLeast(
                                "flood-logins-beside",
                                "Logins beside what a bare thread hashes next to the same second client",
                                100 * ours.logins() / ours.median(FloodRound::bareHashes),
                                90,
                                "%"),
                        Goal.atMost(
                                "flood-401",
                                "Logins refused as wrong (4xx) instead of overloaded (503)",
                                (double) ours.sum(Tally::refused),
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
                                                .map(outcome -> outcome.median(
                                                        round -> round.before().perSecond()))
                                                .toList()),
                                Series.of(
                                        "during the flood",
                                        outcomes.values().stream()
                                                .map(outcome -> outcome.median(
                                                        round -> round.during().perSecond()))
                                                .toList())))),
                List.of(table()),
                notes(alone));
    }

    private List<String> notes(double alone) {
        Outcome ours = outcomes.get(OURS);
        List<String> notes = new ArrayList<>(List.of(
                "A refused client that comes back at once is itself a load: each refusal costs the server a request. So a"
                        + " refusal is held for a second, without a thread.",
                "A second client that never pauses takes a part of the hashing thread's core, too, as every thread may that"
                        + " the scheduler is fair to. A thread of another process that does nothing but hash gets "
                        + show(ours.median(FloodRound::bareHashes))
                        + " done in a second next to it and to a hundred plain requests a"
                        + " second, and " + show(alone) + " on the idle machine.",
                "There is no login in that, and next to it the second client's 99th percentile grows × "
                        + show(ours.median(FloodRound::slowerWithoutLogins))
                        + ". What is above that is the logins: one in a hundred of"
                        + " its requests meets one on the same two cores, which passes the service's filters twice."));
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
                show(outcome.median(round -> round.before().millisAt(99))),
                show(outcome.median(round -> round.during().millisAt(99))),
                show(outcome.logins()),
                show(outcome.sum(Tally::overloaded)),
                show(outcome.sum(Tally::refused)),
                outcome.hashing() + " of " + outcome.dumps())));
        return new Table(
                "Others and logins",
                List.of("", "others p99 alone, ms", "during", "logins/s", "503", "4xx", "dumps with a hash"),
                rows);
    }
}
