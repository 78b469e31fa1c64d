package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.load.token.Jmh.Took;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Tokens by themselves, by JMH, beside the other libraries and beside the HMAC alone: HS256, three claims. */
public final class PeerScenario implements Scenario {

    private static final Map<String, String> TOKEN = Map.of("algorithm", "HS256", "content", "THREE");
    private static final String OURS = "latchkey";

    /** What is compared. Some libraries read a claim only on demand, so a verification without reading would be unequal work. */
    private enum Operation {
        READ("read", "Verify a token and read its claims"),
        CREATE("create", "Create a token");

        private final String method;
        private final String title;

        Operation(String method, String title) {
            this.method = method;
            this.title = title;
        }
    }

    /** Two operations of seven libraries, and the floor. */
    @Override
    public double seconds(Effort effort) {
        return Jmh.of(effort).seconds(15);
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Jmh jmh = Jmh.of(effort);
        Map<Operation, List<Took>> measured = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            progress.step("JMH: " + operation.title + ", seven libraries");
            measured.put(operation, jmh.run("PeerBenchmark." + operation.method, TOKEN, 1, "-Xmx2g"));
        }
        Took floor = jmh.run("FloorBenchmark.floor", TOKEN, 1, "-Xmx2g").get(0);
        return section(measured, floor);
    }

    private Section section(Map<Operation, List<Took>> measured, Took floor) {
        List<Chart> charts = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        measured.forEach((operation, libraries) -> {
            charts.add(new Chart(
                    operation.title + " (less is better; logarithmic)",
                    "nanoseconds",
                    Scale.LOGARITHMIC,
                    libraries.stream().map(Took::library).toList(),
                    List.of(Series.of("HS256, three claims", libraries, Took::nanos))));
            libraries.forEach(took -> rows.add(Table.row(
                    operation.title + ", " + took.library(),
                    took.nanos(),
                    took.nanos() / floor.nanos(),
                    took.bytes())));
        });
        List<Took> read = measured.get(Operation.READ);
        List<Took> create = measured.get(Operation.CREATE);
        return new Section(
                "peers",
                "Libraries",
                "Tokens by themselves",
                "JMH, one thread. Tokens are HS256 with three claims; each library set up as its documentation says, at its best."
                        + " After a verification, the subject and the map of all claims are read.",
                List.of(
                        goal(
                                "peers-verify",
                                Operation.READ.title + ", beside the fastest other library",
                                fastest(read),
                                read,
                                4),
                        goal("peers-create", "Create beside the fastest other library", fastest(create), create, 4),
                        goal("peers-verify-jjwt", Operation.READ.title + ", beside jjwt", of("jjwt", read), read, 15),
                        goal("peers-create-jjwt", "Create beside jjwt", of("jjwt", create), create, 15)),
                charts,
                List.of(new Table(
                        "Each library", List.of("", "ns", "beside the HMAC alone, ×", "bytes allocated"), rows)),
                List.of(
                        "Every library computes the same HMAC, so the fastest of them bounds how many times as fast any other can"
                                + " be: its time beside the HMAC's, " + show(floor.nanos()) + " ns."));
    }

    private static Goal goal(String id, String text, double theirs, List<Took> measured, double target) {
        return Goal.atLeast(id, text, theirs / of(OURS, measured), target, "×");
    }

    private static double of(String library, List<Took> measured) {
        return measured.stream()
                .filter(took -> took.library().equals(library))
                .findFirst()
                .orElseThrow()
                .nanos();
    }

    private static double fastest(List<Took> measured) {
        return measured.stream()
                .filter(took -> !took.library().equals(OURS))
                .findFirst()
                .orElseThrow()
                .nanos();
    }
}
