package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** The arithmetic of the report, and the format of its numbers. */
public final class Figures {

    private Figures() {}

    /**
     * The median; of an even number of figures, the mean of the two in the middle.
     *
     * @throws IllegalArgumentException without figures
     */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("There is no median of nothing");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** With about three digits: 1,234, 56.7, 8.90, 0.123. */
    public static String show(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "–";
        }
        String pattern = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, pattern, value);
    }

    public static String show(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
