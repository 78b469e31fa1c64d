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
import java.util.List;

/** A hundred slow downloads through a server with ten threads: by buckets that wait without a thread, and by ones that block. */
final class DownloadScenario implements Scenario {

    private static final int CLIENTS = 100;
    private static final int BYTES_PER_SECOND = 20_000;
    private static final int TOTAL_PER_SECOND = 20_000_000;

    @Override
    public String id() {
        return "throttle";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        int size = effort.pick(20_000, 200_000);
        Duration once = Duration.ofSeconds(size / BYTES_PER_SECOND);
        Tally alone;
        Tally together;
        int threadsAlone;
        int threadsTogether;
        try (ServiceProcess service = start("ASYNCHRONOUS", BYTES_PER_SECOND, 0, 2_000);
                ServerView view = ServerView.of(service)) {
            Load.run(service.port(), Connections.OWN, Duration.ofSeconds(2), downloads(10, 4_000));
            view.peakThreads();
            alone = download(service, 1, size, once.multipliedBy(2), once);
            threadsAlone = view.peakThreads();
            progress.step("one client: " + show(alone.meanMillis()) + " ms");
            together = download(service, CLIENTS, size, once.multipliedBy(3), once);
            threadsTogether = view.peakThreads();
            progress.step("100 clients, asynchronous: " + show(together.meanMillis()) + " ms, first byte p99 "
                    + show(together.goodMillisAt(99)) + " ms, threads " + threadsAlone + " -> " + threadsTogether);
        }
        Tally blocking;
        try (ServiceProcess service = start("BLOCKING", BYTES_PER_SECOND, 0, 2_000)) {
            Duration wave = once.multipliedBy(CLIENTS / 10);
            blocking = download(service, CLIENTS, size, wave.dividedBy(2), wave.multipliedBy(2));
            progress.step("100 clients, blocking: " + show(blocking.meanMillis()) + " ms");
        }
        Tally total;
        try (ServiceProcess service = start("ASYNCHRONOUS", 0, TOTAL_PER_SECOND, 20_000)) {
            Duration duration = effort.pick(Duration.ofSeconds(6), Duration.ofSeconds(20));
            total = Load.run(service.port(), Connections.OWN, duration, downloads(CLIENTS, 400_000))
                    .get("download");
            progress.step("one bucket for all: at most " + show(total.mostBytesInASecond() / 1e6) + " MB in a second");
        }
        return section(size, alone, together, blocking, total, threadsTogether - threadsAlone);
    }

    private static ServiceProcess start(String waiting, int each, int all, int chunk) {
        return ServiceProcess.start(
                Starter.ABSENT,
                "server.tomcat.threads.max=10",
                "server.tomcat.threads.min-spare=10",
                "subject.download=" + waiting,
                "subject.bytes-per-second=" + each,
                "subject.total-bytes-per-second=" + all,
                "subject.chunk=" + chunk,
                "subject.hashes=" + HashPool.NONE.file());
    }

    private static Tally download(ServiceProcess service, int clients, int size, Duration duration, Duration patience) {
        return Load.run(service.port(), Connections.OWN, duration, patience.plusSeconds(5), downloads(clients, size))
                .get("download");
    }

    /** A client pauses before its next download, so that it comes with a full bucket, as one does who has just arrived. */
    private static Crowd downloads(int clients, int size) {
        return Crowd.closed(
                        "downloads",
                        clients,
                        Call.get("download", "/download/" + size).with("X-Client", user -> "client-" + user.number()))
                .pausing(Duration.ofMillis(200));
    }

    private Section section(int size, Tally alone, Tally together, Tally blocking, Tally total, int extraThreads) {
        double slower = 100 * (together.meanMillis() / alone.meanMillis() - 1);
        List<Double> megabytes =
                total.bytesEachSecond().stream().map(bytes -> bytes / 1e6).toList();
        return new Section(
                id(),
                "Throttle",
                "A throttled server: ten threads, a hundred slow downloads",
                "Each client downloads " + show((long) size / 1_000)
                        + " KB at 20 KB/s through a bucket of its own. Then all" + " share one bucket of 20 MB/s.",
                List.of(
                        Goal.atMost("throttle-mean", "Mean beside one client alone: slower by", slower, 5, "%"),
                        Goal.atMost(
                                "throttle-first-byte",
                                "First byte, 99th percentile",
                                together.goodMillisAt(99),
                                50,
                                "ms"),
                        Goal.atMost("throttle-threads", "Threads more than with one client", extraThreads, 2, ""),
                        Goal.atMost(
                                "throttle-total",
                                "One bucket for all: most in any second, beside its rate",
                                100 * total.mostBytesInASecond() / TOTAL_PER_SECOND,
                                102,
                                "%")),
                List.of(
                        Chart.bars(
                                "Mean time of a download (less is better)",
                                "seconds",
                                Scale.LINEAR,
                                List.of(
                                        "one client alone",
                                        "100 clients, waiting without a thread",
                                        "100 clients, blocking"),
                                List.of(Series.of(
                                        "download",
                                        List.of(
                                                alone.meanMillis() / 1e3,
                                                together.meanMillis() / 1e3,
                                                blocking.meanMillis() / 1e3)))),
                        Chart.lines(
                                "One bucket of 20 MB/s for all: what arrived",
                                "seconds",
                                Scale.LINEAR,
                                "MB in this second",
                                Scale.LINEAR,
                                List.of(Series.of("received", megabytes)))),
                List.of(new Table(
                        "Downloads",
                        List.of("", "finished", "mean, s", "p99, s", "first byte p99, ms", "errors"),
                        List.of(
                                row("one client alone", alone),
                                row("100 clients, waiting without a thread", together),
                                row("100 clients, blocking", blocking)))),
                List.of(
                        "The second of most bytes may begin at any tenth of a second; it is measured where the bytes arrive, so it"
                                + " includes what the network stack held back."));
    }

    private static List<String> row(String title, Tally tally) {
        return List.of(
                title,
                show(tally.good()),
                show(tally.meanMillis() / 1e3),
                show(tally.millisAt(99) / 1e3),
                show(tally.goodMillisAt(99)),
                show(tally.errors()));
    }
}
