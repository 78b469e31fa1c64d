package dev.latchkey.benchmarks.ratios;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Measures every ratio of {@code benchmarks/ratios.txt} and fails if one does not hold; started by {@code benchmarks/check}. */
public final class Check {

    private Check() {}

    public static void main(String[] args) throws IOException {
        List<Ratio> ratios =
                Ratio.parseAll(Files.readAllLines(Path.of(System.getProperty("benchmarks.home"), "ratios.txt")));
        if (args.length > 0) {
            ratios = ratios.stream()
                    .filter(ratio -> ratio.what().contains(args[0]))
                    .toList();
        }
        Map<Side, Double> scores = new HashMap<>();
        int broken = 0;
        for (Ratio ratio : ratios) {
            double measured = score(ratio.numerator(), scores) / score(ratio.denominator(), scores);
            boolean holds = ratio.holds(measured);
            broken += holds ? 0 : 1;
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %-52s %6.2f  (%s %s)%n",
                    holds ? "ok" : "BROKEN",
                    ratio.what(),
                    measured,
                    ratio.bound() == Ratio.Bound.AT_LEAST ? "at least" : "at most",
                    ratio.target());
        }
        System.out.println(
                broken == 0
                        ? "All ratios hold, within 15%."
                        : broken + " of " + ratios.size() + " ratios fall short by more than 15%.");
        System.exit(broken == 0 ? 0 : 1);
    }

    /** Each side once, whatever number of ratios it is in. */
    private static double score(Side side, Map<Side, Double> scores) {
        return scores.computeIfAbsent(side, any -> {
            Map<String, List<String>> parameters = side.parameters().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue())));
            return Jmh.forChecking().run(side.benchmark(), parameters).stream()
                    .mapToDouble(Jmh::score)
                    .average()
                    .orElseThrow(() -> new IllegalStateException("There is no benchmark " + side.benchmark()));
        });
    }
}
