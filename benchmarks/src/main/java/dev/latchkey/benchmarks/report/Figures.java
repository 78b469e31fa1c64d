package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** The arithmetic of the report, and how numbers are written in it. */
public final class Figures {

    private Figures() {}

    /**
     * The middle one; of an even number, the mean of the two in the middle.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static double median(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("There is no median of nothing");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /**
     * By what power y grows with x: 0 if it does not, 1 if in proportion. The slope of the straight line through the logarithms
     * with the least squares.
     *
     * @throws IllegalArgumentException if there are fewer than two points, one of them is not positive, or all have the same x
     */
    public static double slope(List<Series.Point> points) {
        if (points.size() < 2 || points.stream().anyMatch(point -> point.x() <= 0 || point.y() <= 0)) {
            throw new IllegalArgumentException("A slope needs two points or more, all positive");
        }
        double meanX = points.stream()
                .mapToDouble(point -> Math.log(point.x()))
                .average()
                .orElseThrow();
        double meanY = points.stream()
                .mapToDouble(point -> Math.log(point.y()))
                .average()
                .orElseThrow();
        double xy = 0;
        double xx = 0;
        for (Series.Point point : points) {
            double dx = Math.log(point.x()) - meanX;
            xy += dx * (Math.log(point.y()) - meanY);
            xx += dx * dx;
        }
        if (xx == 0) {
            throw new IllegalArgumentException("A slope needs two different x");
        }
        return xy / xx;
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
