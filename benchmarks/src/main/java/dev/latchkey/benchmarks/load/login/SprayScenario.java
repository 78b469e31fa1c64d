package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.Visitor;
import dev.latchkey.benchmarks.load.login.SprayOutcome.Parallel;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServerView;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Somebody tries a password on every account, from many addresses; and many logins of one account at once. */
public final class SprayScenario implements Scenario {

    private static final int SOURCES = 1_000;
    private static final int NAMES = 30_000;
    private static final int PER_SECOND = 100;
    private static final int PATIENCE_OF_A_NEWCOMER = 20;

    private long attempts;

    @Override
    public String id() {
        return "spray";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Duration duration = effort.pick(Duration.ofSeconds(12), Duration.ofSeconds(NAMES / PER_SECOND));
        try (ServiceProcess service = ServiceProcess.start(
                        Starter.PRESENT,
                        "server.tomcat.threads.max=10",
                        "subject.accounts=100000",
                        "subject.hashes=" + HashPool.STRONG.file());
                ServerView view = ServerView.of(service)) {
            Visitor visitor = new Visitor(service.port());
            visitor.logInAll(List.of(Accounts.name(0)));
            Load.run(service.port(), Connections.OWN, effort.warmUp(), known());
            Tally calm = Load.run(service.port(), Connections.OWN, Duration.ofSeconds(3), known())
                    .get("known");
            long liveBefore = view.liveBytes();
            List<CompletableFuture<Integer>> newcomers = new ArrayList<>();
            ExecutorService people = Executors.newCachedThreadPool();
            CompletableFuture<Void> arrivals = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < duration.toSeconds() - 1; i++) {
                            int number = i;
                            newcomers.add(CompletableFuture.supplyAsync(
                                    () -> visitor.insist(
                                            Accounts.name(1_000_000L + number),
                                            Addresses.of(5_000_000L + number),
                                            PATIENCE_OF_A_NEWCOMER),
                                    people));
                            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                        }
                    },
                    people);
            Map<String, Tally> spray = Load.run(service.port(), Connections.OWN, duration, known(), attack());
            arrivals.join();
            List<Integer> tries =
                    newcomers.stream().map(CompletableFuture::join).toList();
            long liveAfter = view.liveBytes();
            progress.step("newcomers got in at attempt " + tries + ", known user's p99 "
                    + show(spray.get("known").millisAt(99)) + " ms, heap " + show((liveAfter - liveBefore) / 1e6)
                    + " MB more");
            Parallel right = parallel(visitor, 2_000, true);
            Parallel wrong = parallel(visitor, 3_000, false);
            progress.step("parallel logins: " + right + ", wrong ones: " + wrong);
            people.shutdownNow();
            SprayOutcome outcome = new SprayOutcome(
                    calm, spray.get("known"), spray.get("attack"), tries, liveAfter - liveBefore, right, wrong);
            return SpraySection.of(id(), outcome, Math.min(NAMES, attempts), SOURCES, PATIENCE_OF_A_NEWCOMER);
        }
    }

    /** One user whose credential is cached, twenty times a second. */
    private static Crowd known() {
        return Crowd.closed(
                        "known",
                        2,
                        Call.get("known", "/basic/hello").withBasic().with("X-Forwarded-For", "172.16.0.1"))
                .beginningWith(user -> user.become(Accounts.name(0)))
                .pausing(Duration.ofMillis(50));
    }

    private Crowd attack() {
        return Crowd.arriving(
                        "attack",
                        PER_SECOND,
                        Call.get("attack", "/basic/hello")
                                .with("Authorization", user -> Call.basic(user.account(), "Summer2026!"))
                                .with("X-Forwarded-For", user -> Addresses.of(2_000_000 + attempts % SOURCES)))
                .beginningWith(user -> user.become(Accounts.name(attempts++ % NAMES)));
    }

    /** So many logins of one account at one moment, all from one address. */
    private static Parallel parallel(Visitor visitor, int account, boolean right) {
        String name = Accounts.name(account);
        String address = Addresses.of(9_000_000L + account);
        List<CompletableFuture<Integer>> answers = IntStream.range(0, SprayOutcome.PARALLEL)
                .mapToObj(i -> visitor.basic(name, right ? Accounts.password(name) : "wrong-" + i, address))
                .toList();
        List<Integer> statuses = answers.stream().map(CompletableFuture::join).toList();
        return new Parallel(count(statuses, 200), count(statuses, 401), count(statuses, 429), count(statuses, 503));
    }

    private static long count(List<Integer> statuses, int status) {
        return statuses.stream().filter(each -> each == status).count();
    }
}
