package dev.latchkey.benchmarks.report;

import java.util.List;

/** Draws horizontal bars, in groups of one bar per series, each with its value written behind it. */
final class BarPicture {

    private static final double WIDTH = 460;
    private static final double VALUE_ROOM = 66;
    private static final double BAR = 15;
    private static final double GAP = 3;
    private static final double LABEL = 18;

    private BarPicture() {}

    static String of(Chart chart) {
        List<Double> values = chart.series().stream()
                .flatMap(series -> series.points().stream())
                .map(Series.Point::y)
                .toList();
        Axis axis = Axis.around(values, chart.xScale(), 0, WIDTH - VALUE_ROOM);
        double group = LABEL + chart.series().size() * (BAR + GAP) + 8;
        double height = chart.labels().size() * group;
        Svg svg = new Svg();
        axis.ticks().forEach(tick -> svg.line("grid", axis.at(tick), 0, axis.at(tick), height));
        for (int i = 0; i < chart.labels().size(); i++) {
            String label = chart.labels().get(i);
            svg.text("label", 0, i * group + 13, "start", label);
            for (int s = 0; s < chart.series().size(); s++) {
                Series series = chart.series().get(s);
                double value = series.points().get(i).y();
                double y = i * group + LABEL + s * (BAR + GAP);
                double length = Math.max(1.5, axis.at(value));
                svg.bar(s, 0, y, length, BAR, label + ", " + series.name() + ": " + Figures.show(value));
                svg.text("value", length + 5, y + BAR - 3, "start", Figures.show(value));
            }
        }
        axis.ticks()
                .forEach(tick -> svg.text("tick", axis.at(tick), height + 14, anchor(tick, axis), Axis.label(tick)));
        svg.text("axis", 0, height + 31, "start", chart.x());
        return svg.picture(chart.title(), WIDTH, height + 36);
    }

    private static String anchor(double tick, Axis axis) {
        return tick == axis.low() ? "start" : "middle";
    }
}
