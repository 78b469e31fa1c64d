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
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Users who arrive at a steady rate whatever becomes of those before them; each makes one request on its own connection. */
public final class ArrivalScenario implements Scenario {

    private static final List<Integer> RATES = List.of(40, 200, 1_000, 2_000);
    private static final int ACCOUNTS = 64;

    private final List<Arrivals> measured = new ArrayList<>();

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
        return new ArrivalSection(measured, RATES, ratesOfBcrypt, ACCOUNTS).of(id());
    }

    private void measure(String title, ServiceProcess service, int rate, Duration duration, Progress progress) {
        Tally tally = Load.run(service.port(), Connections.NEW_EACH, duration, crowd(rate))
                .get("request");
        measured.add(new Arrivals(title, rate, tally));
        progress.step(rate + " users/s, " + title + ": p99 " + show(tally.goodMillisAt(99)) + " ms, "
                + show(tally.unanswered()) + " unanswered");
    }

    private static Crowd crowd(int rate) {
        int[] next = {0};
        return Crowd.arriving("users", rate, Call.get("request", "/basic/hello").withBasic())
                .beginningWith(user -> user.become(Accounts.name(next[0]++ % ACCOUNTS)));
    }
}
