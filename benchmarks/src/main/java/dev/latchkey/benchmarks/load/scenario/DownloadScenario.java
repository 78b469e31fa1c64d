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
import java.util.stream.IntStream;

/**
 * A hundred slow downloads through a server with ten threads: with the starter's throttle, and with buckets of the service's own
 * that block. In both, callers log in with Basic, which the starter answers from its cache.
 */
final class DownloadScenario implements Scenario {

    private static final int CLIENTS = 100;
    private static final int THREADS = 10;
    private static final int SIZE = 200_000;
    private static final int BYTES_PER_SECOND = 20_000;
    private static final int TOTAL_PER_SECOND = 20_000_000;
    private static final int CHUNK = 2_000;

    /** The same downloads by one client, then by all together. */
    private record Outcome(Tally alone, Tally together, int moreThreads) {

        /** How many times as long a download takes together. */
        double slower() {
            return together.meanMillis() / alone.meanMillis();
        }
    }

    @Override
    public String id() {
        return "throttle";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Outcome waiting =
                measure(SIZE, secondsFor(SIZE), 1, effort.pick(1, 6), effort, throttle(BYTES_PER_SECOND, CHUNK));
        progress.step("waiting without a thread: " + show(waiting.slower()) + " × one client, first byte p99 "
                + show(waiting.together().goodMillisAt(99)) + " ms, " + waiting.moreThreads() + " threads more");
        // Ten at a time: a hundred downloads take as long as ten in turn.
        int size = effort.pick(SIZE / 20, SIZE / 4);
        Duration wave = secondsFor(size).multipliedBy(CLIENTS / THREADS);
        Outcome blocking = measure(
                size,
                wave,
                0,
                effort.pick(1, 2),
                effort,
                List.of("subject.blocking-bytes-per-second=" + BYTES_PER_SECOND));
        progress.step("blocking: " + show(blocking.slower()) + " × one client");
        Tally total = oneBucketForAll(effort);
        progress.step("one bucket for all: at most " + show(total.mostBytesInASecond() / 1e6) + " MB in a second");
        return section(waiting, blocking, size, total);
    }

    private static Duration secondsFor(int bytes) {
        return Duration.ofMillis(1_000L * bytes / BYTES_PER_SECOND);
    }

    /**
     * @param wave until each of the hundred has had a download
     * @param rehearsals waves that are not measured: bodies of this length fill parts of the heap that nothing has filled yet
     */
    private static Outcome measure(
            int size, Duration wave, int rehearsals, int waves, Effort effort, List<String> settings) {
        try (ServiceProcess service = start(settings);
                ServerView view = ServerView.of(service)) {
            view.peakThreads();
            warmUp(service, 1, Duration.ofSeconds(1));
            int threads = view.peakThreads();
            warmUp(service, CLIENTS, effort.warmUp());
            for (int i = 0; i < rehearsals; i++) {
                download(service, CLIENTS, size, wave, wave);
            }
            Tally alone = download(service, 1, size, secondsFor(size).multipliedBy(effort.pick(1, 3)), wave);
            Tally together = download(service, CLIENTS, size, wave.multipliedBy(waves), wave);
            return new Outcome(alone, together, view.peakThreads() - threads);
        }
    }

    /** One bucket in front of those of the clients, which could have five times as much together. */
    private static Tally oneBucketForAll(Effort effort) {
        List<String> settings = new ArrayList<>(throttle(5 * TOTAL_PER_SECOND / CLIENTS, 10 * CHUNK));
        settings.add("latchkey.throttle.downloads.global.tokens=" + TOTAL_PER_SECOND);
        try (ServiceProcess service = start(settings)) {
            warmUp(service, CLIENTS, effort.warmUp());
            Duration duration = effort.pick(Duration.ofSeconds(5), Duration.ofSeconds(20));
            return download(service, CLIENTS, 2 * SIZE, duration, Duration.ofSeconds(5));
        }
    }

    /** As a service configures it: each caller may have so much, from its first byte on. */
    private static List<String> throttle(int each, int chunk) {
        String name = "latchkey.throttle.downloads.";
        return List.of(
                name + "paths=/basic/download/**",
                name + "counts=response-bytes",
                name + "principal.tokens=" + each,
                name + "principal.burst=" + chunk,
                name + "chunk=" + chunk + "B",
                name + "max-wait=60s");
    }

    private static ServiceProcess start(List<String> settings) {
        List<String> all = new ArrayList<>(List.of(
                "server.tomcat.threads.max=" + THREADS,
                "server.tomcat.threads.min-spare=" + THREADS,
                // Who downloads has logged in before, so the hash is in no figure; a weak one lets a hundred do so at
                // once.
                "subject.hashing=WEAK_PBKDF2",
                "subject.hashes=" + HashPool.WEAK.file()));
        all.addAll(settings);
        ServiceProcess service = ServiceProcess.start(Starter.PRESENT, all.toArray(String[]::new));
        new Visitor(service.port())
                .logInAll(IntStream.range(0, CLIENTS).mapToObj(Accounts::name).toList());
        return service;
    }

    /** What a service does in its first seconds is measured by nobody's peak hour. */
    private static void warmUp(ServiceProcess service, int clients, Duration duration) {
        download(service, clients, BYTES_PER_SECOND / 5, duration, Duration.ofSeconds(10));
    }

    /** A client pauses before its next download, so that it comes with a full bucket, as one does who has just arrived. */
    private static Tally download(ServiceProcess service, int clients, int size, Duration duration, Duration patience) {
        Call call = Call.get("download", "/basic/download/" + size).withBasic();
        Crowd crowd = Crowd.closed("downloads", clients, call)
                .beginningWith(user -> user.become(Accounts.name(user.number())))
                .pausing(Duration.ofMillis(200));
        return Load.run(service.port(), Connections.OWN, duration, patience.plusSeconds(5), crowd)
                .get("download");
    }

    private Section section(Outcome waiting, Outcome blocking, int blockingSize, Tally total) {
        List<Double> megabytes =
                total.bytesEachSecond().stream().map(bytes -> bytes / 1e6).toList();
        return new Section(
                id(),
                "Throttle",
                "A throttled server: ten threads, a hundred slow downloads",
                "Each client logs in with Basic and downloads " + kilobytes(SIZE) + " at 20 KB/s, through the starter's"
                        + " throttle. Then all share one bucket of 20 MB/s in front of their own.",
                List.of(
                        Goal.atMost(
                                "throttle-mean",
                                "A hundred throttled downloads, slower than one alone by",
                                100 * (waiting.slower() - 1),
                                5,
                                "%"),
                        Goal.atMost(
                                "throttle-first-byte",
                                "First byte, 99th percentile",
                                waiting.together().goodMillisAt(99),
                                50,
                                "ms"),
                        Goal.atMost(
                                "throttle-threads", "Threads more than with one client", waiting.moreThreads(), 2, ""),
                        Goal.atMost(
                                "throttle-total",
                                "One bucket for all: most in any second, beside its rate",
                                100 * total.mostBytesInASecond() / TOTAL_PER_SECOND,
                                102,
                                "%")),
                List.of(
                        Chart.bars(
                                "Mean time of a download (less is better)",
                                "times that of one client alone",
                                Scale.LINEAR,
                                List.of("100 clients, waiting without a thread", "100 clients, blocking"),
                                List.of(Series.of("download", List.of(waiting.slower(), blocking.slower())))),
                        Chart.lines(
                                "One bucket of 20 MB/s for all: what arrived",
                                "seconds",
                                Scale.LINEAR,
                                "MB in this second",
                                Scale.LINEAR,
                                List.of(Series.of("received", megabytes)))),
                List.of(new Table(
                        "Downloads",
                        List.of("", "size", "finished", "mean, s", "p99, s", "first byte p99, ms", "errors"),
                        List.of(
                                row("one client alone", SIZE, waiting.alone()),
                                row("100 clients, waiting without a thread", SIZE, waiting.together()),
                                row("one client alone, blocking", blockingSize, blocking.alone()),
                                row("100 clients, blocking", blockingSize, blocking.together())))),
                List.of(
                        "The second of most bytes may begin at any tenth of a second; it is measured where the bytes arrive, so it"
                                + " includes what the network stack held back.",
                        "Those that block have buckets of the service's own, Bucket4j's, in place of the starter's throttle."));
    }

    private static List<String> row(String title, int size, Tally tally) {
        return List.of(
                title,
                kilobytes(size),
                show(tally.good()),
                show(tally.meanMillis() / 1e3),
                show(tally.millisAt(99) / 1e3),
                show(tally.goodMillisAt(99)),
                show(tally.errors()));
    }

    private static String kilobytes(int bytes) {
        return show((long) bytes / 1_000) + " KB";
    }
}
