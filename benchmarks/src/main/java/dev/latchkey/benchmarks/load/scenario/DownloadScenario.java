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
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A hundred slow downloads through a server with ten threads: with the starter's throttle, and with buckets of the service's own
 * that block. In both, callers log in with Basic, which the starter answers from its cache.
 */
public final class DownloadScenario implements Scenario {

    private static final int CLIENTS = 100;
    private static final int THREADS = 10;
    private static final int SIZE = 200_000;
    private static final int BYTES_PER_SECOND = 20_000;
    private static final int TOTAL_PER_SECOND = 20_000_000;
    private static final int CHUNK = 2_000;

    @Override
    public String id() {
        return "throttle";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        DownloadOutcome waiting =
                measure(SIZE, secondsFor(SIZE), 1, effort.pick(1, 6), effort, throttle(BYTES_PER_SECOND, CHUNK));
        progress.step("waiting without a thread: " + show(waiting.slower()) + " × one client, first byte p99 "
                + show(waiting.together().goodMillisAt(99)) + " ms, " + waiting.moreThreads() + " threads more");
        // Ten at a time: a hundred downloads take as long as ten in turn.
        int size = effort.pick(SIZE / 20, SIZE / 4);
        Duration wave = secondsFor(size).multipliedBy(CLIENTS / THREADS);
        DownloadOutcome blocking = measure(
                size,
                wave,
                0,
                effort.pick(1, 2),
                effort,
                List.of("subject.blocking-bytes-per-second=" + BYTES_PER_SECOND));
        progress.step("blocking: " + show(blocking.slower()) + " × one client");
        Tally total = oneBucketForAll(effort);
        progress.step("one bucket for all: at most " + show(total.mostBytesInASecond() / 1e6) + " MB in a second");
        return DownloadSection.of(id(), waiting, blocking, total, TOTAL_PER_SECOND);
    }

    private static Duration secondsFor(int bytes) {
        return Duration.ofMillis(1_000L * bytes / BYTES_PER_SECOND);
    }

    /**
     * @param wave until each of the hundred has had a download
     * @param rehearsals waves that are not measured: bodies of this length fill parts of the heap that nothing has filled yet
     */
    private static DownloadOutcome measure(
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
            return new DownloadOutcome(size, alone, together, view.peakThreads() - threads);
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
}
