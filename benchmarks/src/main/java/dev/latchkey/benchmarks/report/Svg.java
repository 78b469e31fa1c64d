package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** The few shapes that charts are made of. Colours and fonts are the page's, by class. */
final class Svg {

    private final StringBuilder shapes = new StringBuilder();

    Svg line(String type, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", type, x1, y1, x2, y2);
        return this;
    }

    /** @param anchor start, middle or end */
    Svg text(String type, double x, double y, String anchor, String text) {
        add(
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                type, x, y, anchor, Html.escape(text));
        return this;
    }

    Svg bar(int series, double x, double y, double width, double height, String title) {
        add(
                "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"><title>%s</title></rect>",
                series, x, y, width, height, Html.escape(title));
        return this;
    }

    Svg path(int series, List<double[]> points) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.isEmpty() ? 'M' : 'L').append(String.format(Locale.ROOT, "%.1f %.1f", point[0], point[1]));
        }
        add("<path class=\"l%d\" d=\"%s\"/>", series, path);
        return this;
    }

    Svg dot(int series, double x, double y, String title) {
        add(
                "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%s</title></circle>",
                series, x, y, Html.escape(title));
        return this;
    }

    /** The whole picture; scales with the page. */
    String picture(String title, double width, double height) {
        return String.format(
                Locale.ROOT,
                "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %.0f %.0f\">%s</svg>",
                Html.escape(title),
                width,
                height,
                shapes);
    }

    private void add(String format, Object... values) {
        shapes.append(String.format(Locale.ROOT, format, values));
    }
}
