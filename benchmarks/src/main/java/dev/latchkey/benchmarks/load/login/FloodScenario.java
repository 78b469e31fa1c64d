package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.BareHashing;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServerView;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A hundred connections log in for the first time, as fast as they can, while a client asks for something else. */
public final class FloodScenario implements Scenario {

    private static final int LOGINS = 100;

    /** Request threads of a server as it comes, and a few. */
    static final int MANY = 200;

    static final int FEW = 10;

    static final String BUSY = "the same, beside eight busy connections";

    /**
     * A service in the flood.
     *
     * @param others connections of the second client
     */
    private record Case(String title, Starter starter, int threads, int others, List<String> settings) {

        static Case of(String title, Starter starter, int threads) {
            return new Case(titled(title, threads), starter, threads, 1, List.of());
        }

        static Case ours(int threads) {
            return of(OURS, Starter.PRESENT, threads);
        }
    }

    private static final String OURS = "BCrypt + Latchkey";

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
        return FloodSection.of(id(), outcomes, alone);
    }

    /** What the service with Latchkey and so many request threads is called. */
    static String titleOfOurs(int threads) {
        return titled(OURS, threads);
    }

    private static String titled(String title, int threads) {
        return title + ", " + threads + " threads";
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
            for (int i = 0; i < (ours ? effort.pick(1, 3, 4) : 1); i++) {
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
}
