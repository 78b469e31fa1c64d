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
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.ServerView;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A hundred slow downloads through a server with ten threads and the starter's throttle. Callers log in with Basic, and the
 * starter answers from its cache.
 */
public final class DownloadScenario implements Scenario {

    private static final int CLIENTS = 100;
    private static final int THREADS = 10;
    private static final int SIZE = 200_000;
    private static final int BYTES_PER_SECOND = 20_000;

    /** The throttle as a service configures it: a rate for each caller, from the first byte on. */
    private static final String[] SETTINGS = {
        "latchkey.throttle.downloads.paths=/basic/download/**",
        "latchkey.throttle.downloads.counts=response-bytes",
        "latchkey.throttle.downloads.principal.tokens=" + BYTES_PER_SECOND,
        "latchkey.throttle.downloads.principal.burst=2000",
        "latchkey.throttle.downloads.chunk=2000B",
        "latchkey.throttle.downloads.max-wait=60s",
        "server.tomcat.threads.max=" + THREADS,
        "server.tomcat.threads.min-spare=" + THREADS
    };

    /**
     * The same downloads by a single client, then by all clients in parallel.
     *
     * @param size the bytes of a download
     * @param moreThreads the service's peak of threads, minus the peak with a single client
     */
    private record Outcome(int size, Tally alone, Tally together, int moreThreads) {

        /** The mean time of a parallel download, divided by the mean time of a download alone. */
        private double slower() {
            return together.meanMillis() / alone.meanMillis();
        }
    }

    private static int size(Effort effort) {
        return effort.pick(SIZE / 20, SIZE / 2, SIZE);
    }

    @Override
    public double seconds(Effort effort) {
        return effort.seconds(1, 0, 0, 1) + Effort.seconds(secondsFor(size(effort))) * (1 + effort.pick(2, 9));
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Outcome waiting = measure(size(effort), effort);
        progress.step("waiting without a thread: " + show(waiting.slower()) + " × one client, first byte p99 "
                + show(waiting.together().goodMillisAt(99)) + " ms, " + waiting.moreThreads() + " threads more");
        return section(waiting);
    }

    private static Duration secondsFor(int bytes) {
        return Duration.ofMillis(1_000L * bytes / BYTES_PER_SECOND);
    }

    private static Outcome measure(int size, Effort effort) {
        // The time in which each of the hundred clients gets a download.
        Duration wave = secondsFor(size);
        try (ServiceProcess service = start();
                ServerView view = ServerView.of(service)) {
            view.peakThreads();
            warmUp(service, 1, Duration.ofSeconds(1));
            int threads = view.peakThreads();
            warmUp(service, CLIENTS, effort.warmUp());
            // Outside the measurement: bodies of this length fill new parts of the heap.
            download(service, CLIENTS, size, wave, wave);
            Tally alone = download(service, 1, size, wave.multipliedBy(effort.pick(1, 3)), wave);
            Tally together = download(service, CLIENTS, size, wave.multipliedBy(effort.pick(1, 6)), wave);
            return new Outcome(
                    size,
                    alone.answered("one client alone"),
                    together.answered(CLIENTS + " clients"),
                    view.peakThreads() - threads);
        }
    }

    private static ServiceProcess start() {
        // All clients have logged in before, so no figure contains a hash. A weak hash allows a hundred parallel
        // logins.
        ServiceProcess service = ServiceProcess.start(Set.of(Addition.STARTER), HashPool.WEAK_PBKDF2, SETTINGS);
        new Visitor(service.port()).logInAll(Accounts.first(CLIENTS));
        return service;
    }

    /** The first seconds of a service are not typical of peak hours. */
    private static void warmUp(ServiceProcess service, int clients, Duration duration) {
        download(service, clients, BYTES_PER_SECOND / 5, duration, Duration.ofSeconds(10));
    }

    /** A client pauses before the next download, so that the client's bucket is full, as for a new client. */
    private static Tally download(ServiceProcess service, int clients, int size, Duration duration, Duration patience) {
        Call call = Call.get("download", "/basic/download/" + size).withBasic();
        Crowd crowd = Crowd.closed("downloads", clients, call)
                .beginningWith(user -> user.become(Accounts.name(user.number())))
                .pausing(Duration.ofMillis(200));
        return Load.run(service.port(), Connections.OWN, duration, patience.plusSeconds(5), crowd)
                .get("download");
    }

    private Section section(Outcome waiting) {
        return new Section(
                "throttle",
                "Throttle",
                "A throttled server: ten threads, a hundred slow downloads",
                "Each client logs in with Basic and downloads " + kilobytes(waiting.size())
                        + " at 20 KB/s, through the starter's throttle.",
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
                                "throttle-threads", "Threads more than with one client", waiting.moreThreads(), 2, "")),
                List.of(new Chart(
                        "Mean time of a download (less is better)",
                        "times that of one client alone",
                        Scale.LINEAR,
                        List.of("one client alone", "100 clients"),
                        List.of(new Series("download", List.of(1.0, waiting.slower()))))),
                List.of(new Table(
                        "Downloads",
                        List.of("", "size", "finished", "mean, s", "p99, s", "first byte p99, ms", "errors"),
                        List.of(
                                row("one client alone", waiting.size(), waiting.alone()),
                                row("100 clients", waiting.size(), waiting.together())))),
                List.of());
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
