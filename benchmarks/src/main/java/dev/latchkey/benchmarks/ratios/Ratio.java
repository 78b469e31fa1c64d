package dev.latchkey.benchmarks.ratios;

import java.util.List;
import java.util.Locale;

/**
 * A promise: the time of one benchmark divided by that of another is at least, or at most, so much. One line of
 * {@code ratios.txt}: {@code what | numerator | denominator | at least 4}.
 */
record Ratio(String what, Side numerator, Side denominator, Bound bound, double target) {

    /** So much may a noisy machine spoil. */
    static final double TOLERANCE = 0.15;

    enum Bound {
        AT_LEAST,
        AT_MOST
    }

    /** @throws IllegalArgumentException if it is not written so */
    static Ratio parse(String line) {
        String[] parts = line.split("\\|", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("A ratio has four parts, not " + parts.length + ": " + line);
        }
        String[] words = parts[3].trim().split("\\s+", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("A bound is 'at least 4' or 'at most 4', not '" + parts[3].trim() + "'");
        }
        Bound bound = Bound.valueOf((words[0] + "_" + words[1]).toUpperCase(Locale.ROOT));
        return new Ratio(
                parts[0].trim(), Side.parse(parts[1]), Side.parse(parts[2]), bound, Double.parseDouble(words[2]));
    }

    /** All lines that are neither empty nor begin with #. */
    static List<Ratio> parseAll(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Ratio::parse)
                .toList();
    }

    /** Whether this is as good as promised, or less by no more than {@link #TOLERANCE}. */
    boolean holds(double measured) {
        return bound == Bound.AT_LEAST ? measured >= target * (1 - TOLERANCE) : measured <= target * (1 + TOLERANCE);
    }
}
