package dev.latchkey.benchmarks.load.scenario;

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
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServerView;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
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
final class SprayScenario implements Scenario {

    private static final int SOURCES = 1_000;
    private static final int NAMES = 50_000;
    private static final int PER_SECOND = 100;
    private static final int PARALLEL = 200;
    private static final int PATIENCE_OF_A_NEWCOMER = 20;

    /** How many logins were answered with which status. */
    private record Parallel(long accepted, long wrong, long limited, long overloaded) {}

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
            return section(calm, spray, tries, liveAfter - liveBefore, right, wrong);
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
        List<CompletableFuture<Integer>> answers = IntStream.range(0, PARALLEL)
                .mapToObj(i -> visitor.basic(name, right ? Accounts.password(name) : "wrong-" + i, address))
                .toList();
        List<Integer> statuses = answers.stream().map(CompletableFuture::join).toList();
        return new Parallel(count(statuses, 200), count(statuses, 401), count(statuses, 429), count(statuses, 503));
    }

    private static long count(List<Integer> statuses, int status) {
        return statuses.stream().filter(each -> each == status).count();
    }

    private Section section(
            Tally calm, Map<String, Tally> spray, List<Integer> tries, long moreBytes, Parallel right, Parallel wrong) {
        Tally known = spray.get("known");
        Tally attack = spray.get("attack");
        long gotIn = tries.stream().filter(attempt -> attempt > 0).count();
        List<Double> byAttempt = IntStream.rangeClosed(1, PATIENCE_OF_A_NEWCOMER)
                .mapToObj(attempt ->
                        (double) tries.stream().filter(each -> each == attempt).count())
                .toList();
        int latest = IntStream.range(0, byAttempt.size())
                .filter(i -> byAttempt.get(i) > 0)
                .max()
                .orElse(0);
        return new Section(
                id(),
                "Spraying",
                "Password spraying, and many logins of one account",
                "A hundred wrong logins a second, over " + show(Math.min(NAMES, attempts)) + " names from "
                        + show((long) SOURCES)
                        + " addresses, while a user whose credential is cached goes on and each second somebody new comes from a"
                        + " fresh address. Then " + PARALLEL + " right and " + PARALLEL
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
                        Goal.atMost("spray-memory", "Live heap more than before", moreBytes / 1e6, 64, "MB"),
                        Goal.atMost(
                                "parallel-right",
                                "Parallel right logins answered neither 200 nor 503, of " + PARALLEL,
                                (double) PARALLEL - right.accepted() - right.overloaded(),
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
                                        row("known user, before", calm),
                                        row("known user, during", known),
                                        row("attack", attack))),
                        new Table(
                                PARALLEL + " logins of one account at once",
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
