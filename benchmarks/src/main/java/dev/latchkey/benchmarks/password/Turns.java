package dev.latchkey.benchmarks.password;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Several things measured by turns: each round runs every one of them once, and the medians are compared.
 *
 * <p>One after the other, as JMH runs its benchmarks, they differ by what the machine's speed drifts in the minutes between, and by
 * what the compiler happened to make of the same code in each JVM; that is more than what is looked for here. Each round starts with the
 * next one, so that none always runs behind the same other, whose garbage it would collect.
 */
final class Turns {

    /** The file to which {@link #report} appends a line of JSON. */
    private static final String REPORT_FILE = "latchkey.turns";

    private final String title;
    private final Map<String, BooleanSupplier> checks = new LinkedHashMap<>();
    private final Map<String, long[]> nanos = new LinkedHashMap<>();
    private final int rounds;
    private int round;

    Turns(String title, int rounds) {
        this.title = title;
        this.rounds = rounds;
    }

    void add(String name, BooleanSupplier check) {
        checks.put(name, check);
        nanos.put(name, new long[rounds]);
    }

    /** Throws away what was measured so far: the warm-up is over. */
    void restart() {
        round = 0;
    }

    /** How many said yes, so that nothing is optimised away. */
    int everyoneOnce() {
        List<String> names = List.copyOf(checks.keySet());
        int yes = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get((round + i) % names.size());
            long start = System.nanoTime();
            yes += checks.get(name).getAsBoolean() ? 1 : 0;
            nanos.get(name)[round] = System.nanoTime() - start;
        }
        round++;
        return yes;
    }

    /** Prints the medians, and what the largest is of the smallest. */
    void report() {
        Map<String, Double> medians = new LinkedHashMap<>();
        nanos.forEach((name, all) -> medians.put(name, medianMillis(Arrays.copyOf(all, round))));
        double least =
                medians.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double most =
                medians.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        String line = String.format(
                Locale.ROOT,
                "{\"measured\": \"%s\", \"java\": \"%s\", \"rounds\": %d, \"medianMillis\": {%s}, \"largestToSmallest\": %.4f}%n",
                title,
                System.getProperty("java.version"),
                round,
                medians.entrySet().stream()
                        .map(each -> String.format(Locale.ROOT, "\"%s\": %.3f", each.getKey(), each.getValue()))
                        .collect(Collectors.joining(", ")),
                most / least);
        System.out.print("\n" + line);
        String file = System.getProperty(REPORT_FILE);
        if (file != null) {
            append(Path.of(file), line);
        }
    }

    private static double medianMillis(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e6;
    }

    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
