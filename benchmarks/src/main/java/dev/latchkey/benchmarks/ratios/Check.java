package dev.latchkey.benchmarks.ratios;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measures every ratio of {@code benchmarks/ratios.txt} and fails if one does not hold; started by {@code benchmarks/check}.
 *
 * <p>Whatever else a machine does adds time and never takes any away. So each side counts with the best that was seen of it, and
 * a ratio that falls short is measured again, in fresh processes, before that is believed.
 */
public final class Check {

    private static final int ATTEMPTS = 3;

    private final Map<Side, Double> best = new HashMap<>();

    private Check() {}

    public static void main(String[] args) throws IOException {
        List<Ratio> ratios =
                Ratio.parseAll(Files.readAllLines(Path.of(System.getProperty("benchmarks.home"), "ratios.txt")));
        if (args.length > 0) {
            ratios = ratios.stream()
                    .filter(ratio -> ratio.what().contains(args[0]))
                    .toList();
        }
        Check check = new Check();
        int broken = 0;
        for (Ratio ratio : ratios) {
            double measured = check.measure(ratio);
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

    private double measure(Ratio ratio) {
        // Each side once at first, whatever number of ratios it is in.
        best.computeIfAbsent(ratio.numerator(), Check::run);
        best.computeIfAbsent(ratio.denominator(), Check::run);
        for (int attempt = 2; attempt <= ATTEMPTS && !ratio.holds(seen(ratio)); attempt++) {
            best.merge(ratio.numerator(), run(ratio.numerator()), Math::min);
            best.merge(ratio.denominator(), run(ratio.denominator()), Math::min);
        }
        return seen(ratio);
    }

    private double seen(Ratio ratio) {
        return best.get(ratio.numerator()) / best.get(ratio.denominator());
    }

    private static double run(Side side) {
        Map<String, List<String>> parameters = side.parameters().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue())));
        return Jmh.forChecking().run(side.benchmark(), parameters).stream()
                .mapToDouble(Jmh::best)
                .min()
                .orElseThrow(() -> new IllegalStateException("There is no benchmark " + side.benchmark()));
    }
}
