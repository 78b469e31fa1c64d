package dev.latchkey.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The charts of the project's first page, as SVG files. The page around a file may be darker or lighter than the reader's system says. */
public final class Pictures {

    private static final String STYLE = """
            <style>
            svg { --paper: #ffffff; --ink: #1d2327; --bar: #0b6b9c; }
            @media (prefers-color-scheme: dark) { svg { --paper: #1c2226; --ink: #e7e9ea; --bar: #56b4e9; } }
            text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
            .paper { fill: var(--paper); }
            .bar { fill: var(--bar); }
            </style>
            """;
    private static final int WIDTH = 620;
    private static final int ROW = 46;
    private static final int LONGEST = 500;

    private Pictures() {}

    /** The pictures by the names of their files. A picture without figures in the report is missing. */
    public static Map<String, String> of(Report report) {
        Map<String, String> pictures = new TreeMap<>();
        for (Section section : report.sections()) {
            if (section.id().equals("basic")) {
                Chart chart = section.charts().get(0);
                // The integration among the four kinds of client.
                int client = chart.labels().indexOf("keep-alive, client per thread");
                pictures.put(
                        "basic.svg",
                        bars(
                                "HTTP Basic, requests per second",
                                chart.series().stream().map(Chart.Series::name).toList(),
                                chart.series().stream()
                                        .map(series -> series.values().get(client))
                                        .toList()));
            } else if (section.id().equals("capacity")) {
                Chart chart = section.charts().get(0);
                pictures.put(
                        "capacity.svg",
                        bars(
                                "Logins and profiles of returning users per second, of a million accounts",
                                chart.labels(),
                                chart.series().get(0).values()));
            }
        }
        return pictures;
    }

    /** On an axis from zero, so lengths can be compared. */
    private static String bars(String title, List<String> labels, List<Double> values) {
        Chart chart = new Chart(title, "", Chart.Scale.LINEAR, labels, List.of(new Chart.Series(title, values)));
        int height = ROW * labels.size() + 20;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"%s\" width=\"%d\" height=\"%d\">\n%s"
                        + "<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
                Html.escape(title),
                WIDTH,
                height,
                STYLE,
                WIDTH,
                height));
        for (int i = 0; i < labels.size(); i++) {
            double length = Math.max(2, LONGEST * chart.share(values.get(i)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"14\" y=\"%d\">%s</text><rect class=\"bar\" x=\"14\" y=\"%d\" width=\"%.1f\" height=\"16\" rx=\"2\"/>"
                            + "<text x=\"%.1f\" y=\"%d\">%s</text>\n",
                    ROW * i + 26,
                    Html.escape(labels.get(i)),
                    ROW * i + 33,
                    length,
                    length + 22,
                    ROW * i + 46,
                    Figures.show(values.get(i))));
        }
        return svg.append("</svg>\n").toString();
    }
}
