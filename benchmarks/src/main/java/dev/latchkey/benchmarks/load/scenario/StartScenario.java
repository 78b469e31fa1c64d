package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Program;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the starter adds to the start of a plain service that uses HTTP Basic alone: pairs of processes, by turns. */
public final class StartScenario implements Scenario {

    private static final String[] SETTINGS = {
        "server.address=127.0.0.1", "server.port=0", "spring.main.banner-mode=off", "logging.level.root=warn"
    };

    /** What the service says after its start, in this order. */
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

    /** The figures of a service without the starter, and with it. */
    record Pair(List<Double> without, List<Double> with) {

        double more(Figure figure) {
            return with.get(figure.ordinal()) - without.get(figure.ordinal());
        }

        double times(Figure figure) {
            return with.get(figure.ordinal()) / without.get(figure.ordinal());
        }
    }

    @Override
    public String id() {
        return "starts";
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
        Map<Boolean, List<Pair>> measured = new TreeMap<>();
        for (boolean actuator : List.of(false, true)) {
            List<Pair> pairs = new ArrayList<>();
            int wanted = pairs(effort, actuator);
            // The first pair fills the system's caches of files.
            for (int i = 0; i <= wanted; i++) {
                boolean isFirst = i % 2 == 0;
                List<Double> one = start(isFirst ? Starter.ABSENT : Starter.PRESENT, actuator);
                List<Double> other = start(isFirst ? Starter.PRESENT : Starter.ABSENT, actuator);
                pairs.add(isFirst ? new Pair(one, other) : new Pair(other, one));
                progress.step("pair " + i + " of " + wanted);
            }
            measured.put(actuator, pairs.subList(1, pairs.size()));
            progress.step((actuator ? "with" : "without") + " the actuator: × " + show(times(measured.get(actuator)))
                    + ", " + show(more(measured.get(actuator), Figure.BEANS)) + " beans more");
        }
        return section(measured);
    }

    private static List<Double> start(Starter starter, boolean actuator) throws IOException {
        Process process = new ProcessBuilder(Program.STARTED.command(starter, actuator, SETTINGS))
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String[] line = output.lines()
                    .filter(each -> Program.STARTED.port(each).isPresent())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The service did not start"))
                    .split(" ", -1);
            return Arrays.stream(Figure.values()).map(figure -> figure.of(line)).toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static double more(List<Pair> pairs, Figure figure) {
        return Figures.median(pairs.stream().map(pair -> pair.more(figure)).toList());
    }

    private static double times(List<Pair> pairs) {
        return Figures.median(
                pairs.stream().map(pair -> pair.times(Figure.READY)).toList());
    }

    static Section section(Map<Boolean, List<Pair>> measured) {
        List<Pair> plain = measured.get(false);
        return new Section(
                "starts",
                "Starts",
                "What the starter adds to the start of a service",
                "The plain service with HTTP Basic and nothing else of the starter, without and with its jar on the class path. "
                        + plain.size() + " pairs of processes, by turns; "
                        + measured.get(true).size()
                        + " more with Boot's actuator.",
                List.of(
                        Goal.atMost("starts-ready", "Time until the service is ready", 100 * times(plain), 115, "%"),
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

    private static Goal goal(String id, String text, List<Pair> pairs, Figure figure, double target) {
        String unit = figure.unit == 1 ? "" : "KB";
        return Goal.atMost(id, text, more(pairs, figure), target, unit);
    }

    private static List<String> row(Figure figure, List<Pair> pairs) {
        return Stream.of(
                        Stream.of(figure.title),
                        Stream.of(
                                        Figures.median(pairs.stream()
                                                .map(pair -> pair.without().get(figure.ordinal()))
                                                .toList()),
                                        Figures.median(pairs.stream()
                                                .map(pair -> pair.with().get(figure.ordinal()))
                                                .toList()),
                                        more(pairs, figure))
                                .map(Figures::show))
                .flatMap(part -> part)
                .toList();
    }
}
