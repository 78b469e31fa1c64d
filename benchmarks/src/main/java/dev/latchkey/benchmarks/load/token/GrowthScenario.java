package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.growth.GrowthBenchmark;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.load.token.Jmh.Took;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The cost of a request beside the size of the service, by JMH, and where the cost begins to grow. */
public final class GrowthScenario implements Scenario {

    /** A cost has bent at the first size where a request costs so many times as much as at the smallest. */
    static final double BEND = 1.5;

    private static final int TEN_MILLION = 10_000_000;
    private static final double ENTRIES_A_SECOND = 200_000;

    /** What grows. Each has a method of {@code GrowthBenchmark}. */
    enum Part {
        PLUGINS("plugins", "plugins, the last decides", 1, 10, 100),
        KEYS("keys", "signing keys, the oldest has signed", 1, 2, 4, 8),
        NAMELESS("namelessKeys", "the same, and the token does not name its key", 1, 2, 4, 8),
        CREDENTIALS("credentials", "cached credentials", 1_000, 10_000, 100_000, 1_000_000, TEN_MILLION),
        REVOCATIONS("revocations", "revoked tokens", 1_000, 10_000, 100_000, 1_000_000, TEN_MILLION),
        SESSIONS("sessions", "sessions, refreshed", 1_000, 10_000, 100_000, 1_000_000, TEN_MILLION),
        THREADS("plugins", "request threads a core", 2, 4, 8);

        private final String method;
        private final String title;
        private final List<Integer> sizes;

        Part(String method, String title, Integer... sizes) {
            this.method = method;
            this.title = title;
            this.sizes = List.of(sizes);
        }

        List<Integer> sizes(Effort effort) {
            int largest = effort.pick(1_000, 10_000, TEN_MILLION);
            return sizes.stream().filter(size -> size <= largest).toList();
        }
    }

    private final Map<Part, Map<Integer, Took>> measured = new EnumMap<>(Part.class);

    @Override
    public double seconds(Effort effort) {
        List<Integer> sizes = Arrays.stream(Part.values())
                .flatMap(part -> part.sizes(effort).stream())
                .toList();
        double entries = sizes.stream().mapToDouble(size -> size).sum();
        return Jmh.of(effort).seconds(sizes.size()) + entries / ENTRIES_A_SECOND;
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Jmh jmh = Jmh.of(effort);
        for (Part part : Part.values()) {
            Map<Integer, Took> costs = new TreeMap<>();
            for (int size : part.sizes(effort)) {
                costs.put(size, measure(jmh, part, size));
            }
            measured.put(part, costs);
            progress.step(part.title + ": " + bend(costs));
        }
        return section(measured);
    }

    private static Took measure(Jmh jmh, Part part, int size) {
        boolean ofThreads = part == Part.THREADS;
        return jmh.run(
                        "GrowthBenchmark." + part.method,
                        Map.of("size", ofThreads ? "1" : String.valueOf(size)),
                        ofThreads ? size * Runtime.getRuntime().availableProcessors() : 1,
                        size == TEN_MILLION ? "-Xmx12g" : "-Xmx2g")
                .get(0);
    }

    /** Where the cost begins to grow, in words. */
    static String bend(Map<Integer, Took> costs) {
        double first = costs.values().iterator().next().nanos();
        return costs.entrySet().stream()
                .filter(each -> each.getValue().nanos() >= BEND * first)
                .findFirst()
                .map(each -> "bends at " + show((long) each.getKey()) + ", where a request costs "
                        + show(each.getValue().nanos() / first) + " times as much")
                .orElse("does not bend");
    }

    static Section section(Map<Part, Map<Integer, Took>> measured) {
        List<Chart> charts = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        measured.forEach((part, costs) -> {
            double first = costs.values().iterator().next().nanos();
            charts.add(new Chart(
                    "A request beside the number of " + part.title + " (less is better)",
                    "ns",
                    Scale.LINEAR,
                    costs.keySet().stream().map(size -> show((long) size)).toList(),
                    List.of(Series.of(part.title, List.copyOf(costs.values()), Took::nanos))));
            costs.forEach((size, took) -> rows.add(
                    Table.row(show((long) size) + " " + part.title, took.nanos(), took.nanos() / first, took.bytes())));
            notes.add("The cost beside " + part.title + " " + bend(costs) + ".");
        });
        notes.add(
                "Each request with a credential is of a random account, so large sizes leave the processor's caches. Requests beside revocations have "
                        + show((long) GrowthBenchmark.Revocations.DIFFERENT)
                        + " different tokens, so their look-ups may stay in these caches.");
        return new Section(
                "growth",
                "Growth",
                "What grows with a service",
                "JMH, one thread unless the row says otherwise. The time is the cores in use divided by the rate of all threads."
                        + " A request is the check of a token by the whole chain, a cached"
                        + " password, or the refresh of a session. A cost bends where a request costs " + BEND
                        + " times what it costs at the smallest size.",
                List.of(),
                charts,
                List.of(new Table("Each size", List.of("", "ns", "beside the smallest, ×", "bytes"), rows)),
                notes);
    }
}
