package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.ratios.Jmh;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/** What a token costs by JMH: for each operation, algorithm, content and library. */
final class TokenCosts {

    /** What is done with a token; the floor is its HMAC alone. */
    enum Operation {
        VERIFY("VerifyBenchmark.verify"),
        CREATE("CreateBenchmark.create"),
        REFUSE("RefusePeersBenchmark.refuse"),
        FLOOR("FloorBenchmark.floor");

        private final String benchmark;

        Operation(String benchmark) {
            this.benchmark = benchmark;
        }

        private String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<String> ALGORITHMS = List.of("HS256", "HS384", "HS512");
    private static final List<String> CONTENTS = List.of("THREE", "SEVEN");
    private static final String OURS = "LATCHKEY";
    private static final String NONE = "";

    private record Case(Operation operation, String algorithm, String content, String library) {}

    private record Cost(double nanos, double bytes) {}

    private final Jmh jmh;
    private final Progress progress;
    private List<String> contents = CONTENTS;
    private final Map<Case, Cost> costs = new HashMap<>();

    TokenCosts(Jmh jmh, Progress progress) {
        this.jmh = jmh;
        this.progress = progress;
    }

    /** All libraries with HS256 and three claims, and Latchkey beside its floor with each algorithm; in the full pass all with all. */
    void measure(Effort effort) {
        boolean all = effort.pick(false, true);
        contents = all ? CONTENTS : CONTENTS.subList(0, 1);
        for (Operation operation : List.of(Operation.VERIFY, Operation.CREATE, Operation.REFUSE)) {
            progress.step("JMH: " + operation.title() + ", seven libraries");
            Map<String, List<String>> parameters =
                    all ? parameters(ALGORITHMS, contents) : parameters(List.of("HS256"), List.of("THREE"));
            run(operation, parameters);
        }
        progress.step("JMH: beside the HMAC alone");
        Map<String, List<String>> every = parameters(ALGORITHMS, contents);
        run(Operation.FLOOR, every);
        if (!all) {
            every.put("library", List.of(OURS));
            run(Operation.VERIFY, every);
            run(Operation.CREATE, every);
        }
    }

    private static Map<String, List<String>> parameters(List<String> algorithms, List<String> contents) {
        return new HashMap<>(Map.of("algorithm", algorithms, "content", contents));
    }

    private void run(Operation operation, Map<String, List<String>> parameters) {
        for (RunResult result : jmh.run(operation.benchmark, parameters)) {
            Case measured = new Case(
                    operation,
                    Jmh.parameter(result, "algorithm"),
                    Jmh.parameter(result, "content"),
                    operation == Operation.FLOOR ? NONE : Jmh.parameter(result, "library"));
            // Latchkey's HS256 with three claims is measured twice: the first is the one beside the other libraries.
            costs.putIfAbsent(measured, new Cost(Jmh.score(result), Jmh.bytes(result)));
        }
    }

    /** Nanoseconds with HS256 and three claims, the fastest library first. */
    Map<String, Double> byLibrary(Operation operation) {
        Map<String, Double> scores = new LinkedHashMap<>();
        libraries(operation)
                .forEach(library -> scores.put(
                        library.toLowerCase(Locale.ROOT),
                        cost(operation, "HS256", "THREE", library).nanos()));
        return scores;
    }

    private List<String> libraries(Operation operation) {
        return costs.keySet().stream()
                .filter(one -> one.equals(new Case(operation, "HS256", "THREE", one.library())))
                .sorted(Comparator.comparingDouble(one -> costs.get(one).nanos()))
                .map(Case::library)
                .toList();
    }

    private Cost cost(Operation operation, String algorithm, String content, String library) {
        return costs.get(new Case(operation, algorithm, content, library));
    }

    List<Table> tables() {
        return List.of(besideTheFloor(), eachLibrary());
    }

    private Table besideTheFloor() {
        List<List<String>> rows = new ArrayList<>();
        for (String content : contents) {
            for (String algorithm : ALGORITHMS) {
                double floor = cost(Operation.FLOOR, algorithm, content, NONE).nanos();
                Cost verify = cost(Operation.VERIFY, algorithm, content, OURS);
                Cost create = cost(Operation.CREATE, algorithm, content, OURS);
                rows.add(List.of(
                        algorithm + ", " + content.toLowerCase(Locale.ROOT) + " claims",
                        show(floor) + " ns",
                        show(verify.nanos() / floor) + " ×",
                        show(create.nanos() / floor) + " ×",
                        show(verify.bytes()),
                        show(create.bytes())));
            }
        }
        return new Table(
                "Latchkey beside the HMAC alone",
                List.of("token", "HMAC", "verify", "create", "verify, bytes", "create, bytes"),
                rows);
    }

    private Table eachLibrary() {
        List<List<String>> rows = new ArrayList<>();
        for (Operation operation : List.of(Operation.VERIFY, Operation.CREATE, Operation.REFUSE)) {
            for (String content : CONTENTS) {
                for (String algorithm : ALGORITHMS) {
                    for (String library : libraries(operation)) {
                        Cost cost = cost(operation, algorithm, content, library);
                        if (cost != null) {
                            rows.add(List.of(
                                    operation.title() + ", " + library.toLowerCase(Locale.ROOT),
                                    algorithm,
                                    content.toLowerCase(Locale.ROOT),
                                    show(cost.nanos()),
                                    show(cost.bytes())));
                        }
                    }
                }
            }
        }
        return new Table("Each library", List.of("operation", "algorithm", "claims", "ns", "bytes allocated"), rows);
    }
}
