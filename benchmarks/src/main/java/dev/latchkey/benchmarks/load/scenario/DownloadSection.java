package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.List;

/** What the report says about throttled downloads. */
final class DownloadSection {

    private DownloadSection() {}

    /**
     * The section.
     *
     * @param total the downloads that shared one bucket of this many bytes a second
     */
    static Section of(String id, DownloadOutcome waiting, DownloadOutcome blocking, Tally total, int totalPerSecond) {
        List<Double> megabytes =
                total.bytesEachSecond().stream().map(bytes -> bytes / 1e6).toList();
        return new Section(
                id,
                "Throttle",
                "A throttled server: ten threads, a hundred slow downloads",
                "Each client logs in with Basic and downloads " + kilobytes(waiting.size())
                        + " at 20 KB/s, through the starter's"
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
                                100 * total.mostBytesInASecond() / totalPerSecond,
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
                                row("one client alone", waiting.size(), waiting.alone()),
                                row("100 clients, waiting without a thread", waiting.size(), waiting.together()),
                                row("one client alone, blocking", blocking.size(), blocking.alone()),
                                row("100 clients, blocking", blocking.size(), blocking.together())))),
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
