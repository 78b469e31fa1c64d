package dev.latchkey.benchmarks.report;

import java.util.List;

/**
 * A picture of figures.
 *
 * @param title what it shows, and of which figures less or more is better
 * @param labels of the bars of each series; empty for lines
 * @param x what the horizontal axis counts; for bars, what their length means
 * @param y what the vertical axis counts; empty for bars
 */
public record Chart(
        Kind kind,
        String title,
        String x,
        Scale xScale,
        String y,
        Scale yScale,
        List<String> labels,
        List<Series> series) {

    /** How the figures are drawn. */
    public enum Kind {
        BARS,
        LINES
    }

    /** How far apart figures are. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /** @throws IllegalArgumentException if a series of bars has more or fewer values than there are labels */
    public Chart {
        labels = List.copyOf(labels);
        series = List.copyOf(series);
        for (Series each : series) {
            if (kind == Kind.BARS && each.points().size() != labels.size()) {
                throw new IllegalArgumentException("The chart '" + title + "' has " + labels.size() + " labels, but "
                        + each.points().size() + " bars in '" + each.name() + "'");
            }
        }
    }

    /** Horizontal bars, one per label and series. */
    public static Chart bars(String title, String unit, Scale scale, List<String> labels, List<Series> series) {
        return new Chart(Kind.BARS, title, unit, scale, "", Scale.LINEAR, labels, series);
    }

    public static Chart lines(String title, String x, Scale xScale, String y, Scale yScale, List<Series> series) {
        return new Chart(Kind.LINES, title, x, xScale, y, yScale, List.of(), series);
    }
}
