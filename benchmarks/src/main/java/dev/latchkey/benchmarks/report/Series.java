package dev.latchkey.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Points of one colour. */
public record Series(String name, List<Point> points) {

    /** Where a point is, in the units of the axes. */
    public record Point(double x, double y) {}

    public Series {
        points = List.copyOf(points);
    }

    /** The values at 0, 1, 2 and so on. */
    public static Series of(String name, List<Double> values) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            points.add(new Point(i, values.get(i)));
        }
        return new Series(name, points);
    }
}
