package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Draws lines through points over two axes. */
final class LinePicture {

    private static final double WIDTH = 460;
    private static final double HEIGHT = 280;
    private static final double LEFT = 48;
    private static final double RIGHT = WIDTH - 14;
    private static final double TOP = 22;
    private static final double BOTTOM = HEIGHT - 42;

    /** More dots than this hide the line. */
    private static final int MOST_DOTS = 24;

    private LinePicture() {}

    static String of(Chart chart) {
        Axis x = Axis.around(all(chart, Series.Point::x), chart.xScale(), LEFT, RIGHT);
        Axis y = Axis.around(all(chart, Series.Point::y), chart.yScale(), BOTTOM, TOP);
        Svg svg = new Svg();
        for (double tick : y.ticks()) {
            svg.line("grid", LEFT, y.at(tick), RIGHT, y.at(tick));
            svg.text("tick", LEFT - 6, y.at(tick) + 4, "end", Axis.label(tick));
        }
        for (double tick : x.ticks()) {
            svg.line("grid", x.at(tick), BOTTOM, x.at(tick), BOTTOM + 4);
            svg.text("tick", x.at(tick), BOTTOM + 17, "middle", Axis.label(tick));
        }
        svg.text("axis", LEFT - 44, 12, "start", chart.y());
        svg.text("axis", RIGHT, HEIGHT - 6, "end", chart.x());
        for (int s = 0; s < chart.series().size(); s++) {
            Series series = chart.series().get(s);
            svg.path(
                    s,
                    series.points().stream()
                            .map(point -> new double[] {x.at(point.x()), y.at(point.y())})
                            .toList());
            if (series.points().size() <= MOST_DOTS) {
                for (Series.Point point : series.points()) {
                    svg.dot(s, x.at(point.x()), y.at(point.y()), title(series, point));
                }
            }
        }
        return svg.picture(chart.title(), WIDTH, HEIGHT);
    }

    private static String title(Series series, Series.Point point) {
        return series.name() + ", " + Axis.label(point.x()) + ": " + Figures.show(point.y());
    }

    private static List<Double> all(Chart chart, ToDoubleFunction<Series.Point> of) {
        return chart.series().stream()
                .flatMap(series -> series.points().stream())
                .map(of::applyAsDouble)
                .toList();
    }
}
