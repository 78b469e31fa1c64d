package dev.latchkey.benchmarks.load;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Program.Starter;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
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
import java.util.stream.Stream;

/** A hundred connections log in for the first time, as fast as they can, while a client asks for something else. */
final class FloodScenario implements Scenario {

    private static final int LOGINS = 100;

    /** Those of a server as it comes, and a few. */
    private static final int MANY = 200;

    private static final int FEW = 10;

    private static final String BUSY = "the same, beside eight busy connections";

    /**
     * A service in the flood.
     *
     * @param others connections of the second client
     */
    private record Case(String title, Starter starter, int threads, int others, List<String> settings) {

        static Case of(String title, Starter starter, int threads) {
            return new Case(title + ", " + threads + " threads", starter, threads, 1, List.of());
        }

        static Case ours(int threads) {
            return of("BCrypt + Latchkey", Starter.PRESENT, threads);
        }
    }

    private final Map<String, FloodOutcome> outcomes = new LinkedHashMap<>();
    private long nextAccount;

    @Override
    public String id() {
        return "flood";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        double alone = BareHashing.ofAnIdleMachine();
        progress.step("bare threads hash " + show(alone) + "/s");
        List<Case> cases = new ArrayList<>(List.of(Case.ours(MANY), Case.ours(FEW)));
        if (effort == Effort.FULL) {
            String atOnce = "latchkey.guard.refusals.delay=0";
            cases.add(new Case("the same, refusals told at once", Starter.PRESENT, FEW, 1, List.of(atOnce)));
            cases.add(new Case(BUSY, Starter.PRESENT, FEW, 8, List.of()));
        }
        cases.add(Case.of("BCrypt", Starter.ABSENT, MANY));
        cases.add(Case.of("BCrypt", Starter.ABSENT, FEW));
        cases.forEach(each -> measure(each, effort, progress));
        return section(alone);
    }

    private void measure(Case service, Effort effort, Progress progress) {
        String[] settings = Stream.concat(
                        Stream.of(
                                "server.tomcat.threads.max=" + service.threads(),
                                "subject.accounts=100000",
                                "subject.hashes=" + HashPool.STRONG.file()),
                        service.settings().stream())
                .toArray(String[]::new);
        boolean ours = service.starter() == Starter.PRESENT;
        Crowd others = others(service.others());
        try (ServiceProcess process = ServiceProcess.start(service.starter(), settings);
                ServerView view = ServerView.of(process)) {
            Load.run(process.port(), Connections.OWN, effort.warmUp(), others);
            if (ours) {
                // What a cold service does is measured by nobody's peak hour. A path that is taken a hundred times a
                // second takes a minute until it is compiled for good; here it is taken more often.
                Load.run(process.port(), Connections.OWN, effort.settling(), others, logins(5 * LOGINS));
            }
            List<FloodRound> rounds = new ArrayList<>();
            // Where others wait for seconds one round says it all.
            for (int i = 0; i < (ours ? effort.pick(1, 3, 5) : 1); i++) {
                rounds.add(round(process, others, effort));
            }
            // Apart, since a dump stops all threads.
            try (ServerView.Watch watch = view.watch()) {
                Load.run(process.port(), Connections.OWN, effort.warmUp(), others, logins(LOGINS));
                FloodOutcome outcome = new FloodOutcome(rounds, watch.mostHeld());
                outcomes.put(service.title(), outcome);
                progress.step(service.title() + ": " + outcome);
            }
        }
    }

    private FloodRound round(ServiceProcess service, Crowd others, Effort effort) {
        Tally before = Load.run(service.port(), Connections.OWN, effort.measured(), others)
                .get("other");
        Duration flood = effort.pick(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(15));
        BareHashing bare = BareHashing.begin();
        Tally beside = Load.run(service.port(), Connections.OWN, flood, others, visitors())
                .get("other");
        double bareHashes = bare.perSecond();
        Map<String, Tally> during = Load.run(service.port(), Connections.OWN, flood, others, logins(LOGINS));
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
        List<Goal> goals = new ArrayList<>(goals(FEW, ""));
        goals.addAll(goals(MANY, "-" + MANY));
        long refused = Stream.of(MANY, FEW)
                .mapToLong(threads -> outcomes.get(Case.ours(threads).title()).sum(Tally::refused))
                .sum();
        goals.add(Goal.atMost(
                "flood-401", "Logins refused as wrong (4xx) instead of overloaded (503)", (double) refused, 0, ""));
        return new Section(
                id(),
                "Login flood",
                "A flood of logins: a hundred connections, each login the first of its account",
                "BCrypt 10, with as many request threads as a server has by default and with ten. A second client asks for something"
                        + " that needs no login: alone; beside a thread of another process that hashes, and a hundred plain requests"
                        + " a second, which is the control; and during the flood. A hash runs on the request's own thread, half of"
                        + " the cores hash at a time, and a quarter of the request threads may wait for it.",
                goals,
                List.of(Chart.bars(
                        "Requests of the others per second (more is better)",
                        "requests per second",
                        Scale.LINEAR,
                        List.copyOf(outcomes.keySet()),
                        List.of(
                                others("alone", round -> round.before().perSecond()),
                                others(
                                        "beside the control",
                                        round -> round.beside().perSecond()),
                                others(
                                        "during the flood",
                                        round -> round.during().perSecond())))),
                List.of(table()),
                notes(alone));
    }

    private List<Goal> goals(int threads, String suffix) {
        FloodOutcome ours = outcomes.get(Case.ours(threads).title());
        String with = ", " + threads + " request threads";
        int permits = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return List.of(
                Goal.atLeast(
                        "flood-throughput" + suffix,
                        "In a flood of logins, others keep of their throughput" + with,
                        ours.median(FloodRound::throughput),
                        60,
                        "%"),
                Goal.atMost(
                        "flood-p99" + suffix,
                        "Their 99th percentile beside that of the control without logins" + with,
                        ours.median(FloodRound::slower),
                        3,
                        "×"),
                Goal.atLeast(
                        "flood-logins-beside" + suffix,
                        "Logins beside what the control's thread hashes next to the same second client" + with,
                        ours.median(FloodRound::loginsBesideBare),
                        90,
                        "%"),
                Goal.atMost(
                        "flood-held" + suffix,
                        "Most request threads that computed or awaited a hash" + with,
                        ours.mostHeld(),
                        permits + Math.max(1, threads / 4),
                        ""));
    }

    private Series others(String name, ToDoubleFunction<FloodRound> perSecond) {
        return Series.of(
                name,
                outcomes.values().stream()
                        .map(outcome -> outcome.median(perSecond))
                        .toList());
    }

    private List<String> notes(double alone) {
        List<String> notes = new ArrayList<>(List.of(
                "A refused client that comes back at once is itself a load: each refusal costs the server a request. So a"
                        + " refusal is held for a second, without a thread.",
                "A second client that never pauses takes a part of the hashing thread's core, too, as every thread may that"
                        + " the scheduler is fair to. Hence the control: on the idle machine as many threads as there are permits"
                        + " hash " + show(alone) + " times a second."));
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
                show(outcome.median(FloodRound::throughputOfControl)),
                show(outcome.median(FloodRound::throughput)),
                show(outcome.median(round -> round.before().millisAt(99))),
                show(outcome.median(round -> round.beside().millisAt(99))),
                show(outcome.median(round -> round.during().millisAt(99))),
                show(outcome.median(FloodRound::bareHashes)),
                show(outcome.median(round -> round.logins().perSecond())),
                show(outcome.sum(Tally::overloaded)),
                show(outcome.sum(Tally::refused)),
                show((long) outcome.mostHeld()))));
        return new Table(
                "Others and logins",
                List.of(
                        "",
                        "others keep beside the control, %",
                        "during the flood, %",
                        "their p99 alone, ms",
                        "beside the control",
                        "during the flood",
                        "control's hashes/s",
                        "logins/s",
                        "503",
                        "4xx",
                        "threads held"),
                rows);
    }
}
