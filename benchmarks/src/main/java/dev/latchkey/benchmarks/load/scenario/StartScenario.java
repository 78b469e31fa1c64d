package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Program;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Readings;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures what the starter adds to the start of a plain service with HTTP Basic only. Starts pairs of processes, with
 * and without the starter, by turns.
 */
public final class StartScenario implements Scenario {

    private static final String[] SETTINGS = {
        "--server.address=127.0.0.1", "--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=warn"
    };

    /** The service prints these figures after its start, in this order. */
    enum Figure {
        READY("ready, ms", 1),
        PROCESSOR("processor time until then, ms", 1),
        HEAP("heap, KB", 1_024),
        METASPACE("metaspace, KB", 1_024),
        BEANS("beans", 1),
        CLASSES("classes", 1);

        private final String title;
        private final double unit;

        Figure(String title, double unit) {
            this.title = title;
            this.unit = unit;
        }

        private double of(String[] line) {
            return Double.parseDouble(line[1 + ordinal()]) / unit;
        }
    }

    /** A line from each service after its start: services without the starter, and services with the starter. */
    private record Pairs(Readings<String[]> without, Readings<String[]> with) {

        private double more(Figure figure) {
            return with.more(without, figure::of);
        }

        /** The time until the service with the starter is ready, as a multiple of the time without the starter. */
        private double times() {
            return with.times(without, Figure.READY::of);
        }
    }

    private static int pairs(Effort effort, boolean actuator) {
        return actuator ? effort.pick(1, 1, 5) : effort.pick(1, 3, 20);
    }

    /** The first pair is not measured. */
    @Override
    public double seconds(Effort effort) {
        return effort.seconds(0, 0, 0, 2 * (pairs(effort, false) + pairs(effort, true) + 2));
    }

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        Map<Boolean, Pairs> measured = new TreeMap<>();
        for (boolean actuator : List.of(false, true)) {
            Pairs pairs = new Pairs(new Readings<>(), new Readings<>());
            int wanted = pairs(effort, actuator);
            // The first pair fills the system's caches of files.
            start(false, actuator);
            start(true, actuator);
            for (int i = 1; i <= wanted; i++) {
                for (boolean with : i % 2 == 0 ? List.of(false, true) : List.of(true, false)) {
                    (with ? pairs.with : pairs.without).add(start(with, actuator));
                }
                progress.step("pair " + i + " of " + wanted);
            }
            measured.put(actuator, pairs);
            progress.step((actuator ? "with" : "without") + " the actuator: × " + show(pairs.times()) + ", "
                    + show(pairs.more(Figure.BEANS)) + " beans more");
        }
        return section(measured, effort);
    }

    private static String[] start(boolean starter, boolean actuator) throws IOException {
        Set<Addition> additions = EnumSet.noneOf(Addition.class);
        if (starter) {
            additions.add(Addition.STARTER);
        }
        if (actuator) {
            additions.add(Addition.ACTUATOR);
        }
        Process process = new ProcessBuilder(Program.STARTED.command(additions, Arrays.stream(SETTINGS)))
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            return output.lines()
                    .filter(each -> Program.STARTED.port(each).isPresent())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The service did not start"))
                    .split(" ", -1);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Section section(Map<Boolean, Pairs> measured, Effort effort) {
        Pairs plain = measured.get(false);
        return new Section(
                "starts",
                "Starts",
                "What the starter adds to the start of a service",
                "The plain service with HTTP Basic and nothing else of the starter, without and with its jar on the class path. "
                        + pairs(effort, false) + " pairs of processes, by turns; "
                        + pairs(effort, true)
                        + " more with Boot's actuator.",
                List.of(
                        Goal.atMost("starts-ready", "Time until the service is ready", 100 * plain.times(), 115, "%"),
                        goal("starts-heap", "Heap that it holds more", plain, Figure.HEAP, 1_500),
                        goal("starts-metaspace", "Metaspace that it holds more", plain, Figure.METASPACE, 2_900),
                        goal("starts-beans", "Beans more", plain, Figure.BEANS, 34),
                        goal("starts-classes", "Classes more", plain, Figure.CLASSES, 600)),
                List.of(),
                measured.entrySet().stream()
                        .map(each -> new Table(
                                each.getKey() ? "With the actuator" : "Without the actuator",
                                List.of("", "without", "with", "more"),
                                Arrays.stream(Figure.values())
                                        .map(figure -> row(figure, each.getValue()))
                                        .toList()))
                        .toList(),
                List.of(
                        "The goals are the floor: results/beans-jdk17.txt has each bean with its reason, the classes by origin, and the"
                                + " parts of the heap and of the time.",
                        "All figures are medians, and \"more\" is the median of the pairs' own differences. Memory is read after two"
                                + " collections."));
    }

    private static Goal goal(String id, String text, Pairs pairs, Figure figure, double target) {
        String unit = figure.unit == 1 ? "" : "KB";
        return Goal.atMost(id, text, pairs.more(figure), target, unit);
    }

    private static List<String> row(Figure figure, Pairs pairs) {
        return Table.row(
                figure.title, pairs.without.median(figure::of), pairs.with.median(figure::of), pairs.more(figure));
    }
}
