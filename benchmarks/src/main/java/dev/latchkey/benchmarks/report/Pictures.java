package dev.latchkey.benchmarks.report;

import dev.latchkey.benchmarks.report.Chart.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The two pictures that the README shows, each a file of its own, from a report and nowhere else. */
public final class Pictures {

    /** A paper of its own, since the page that shows it may be darker or lighter than the reader's system says. */
    private static final String STYLE = """
            <style>
            svg { --paper: #ffffff; --ink: #1d2327; --soft: #566069; --rule: #dedad3; --bar: #0b6b9c; }
            @media (prefers-color-scheme: dark) {
              svg { --paper: #1c2226; --ink: #e7e9ea; --soft: #a4afb7; --rule: #343c42; --bar: #56b4e9; }
            }
            text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
            .tick, .axis { fill: var(--soft); font-size: 11.5px; }
            .grid { stroke: var(--rule); stroke-width: 1; }
            .s0 { fill: var(--bar); }
            .paper { fill: var(--paper); }
            </style>
            """;

    private static final int MARGIN = 14;
    private static final int WIDTH = 620;

    private Pictures() {}

    /** The pictures by the names of their files; without those whose figures are not in the report, as in one of some scenarios. */
    public static Map<String, String> of(Report report) {
        Map<String, String> pictures = new TreeMap<>();
        oneBarEach(
                        report,
                        "basic",
                        "HTTP Basic, requests per second",
                        List.of("keep-alive, client per thread"),
                        List.of("no hash", "BCrypt + Latchkey", "BCrypt"))
                .ifPresent(chart -> pictures.put("basic.svg", standing(chart)));
        oneBarEach(
                        report,
                        "flood",
                        "Requests of others, alone and during a flood of logins",
                        List.of("BCrypt + Latchkey, 10 threads", "BCrypt, 10 threads"),
                        List.of("alone", "during the flood"))
                .ifPresent(chart -> pictures.put("flood.svg", standing(chart)));
        return pictures;
    }

    /** A bar for each of these labels and series, on an axis from zero, so that lengths can be compared. */
    private static Optional<Chart> oneBarEach(
            Report report, String section, String title, List<String> labels, List<String> series) {
        Optional<Chart> found = report.sections().stream()
                .filter(each -> each.id().equals(section))
                .flatMap(each -> each.charts().stream())
                .findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (String label : labels) {
            for (String name : series) {
                names.add(labels.size() == 1 ? name : label + ", " + name);
                valueOf(found.get(), label, name).ifPresent(values::add);
            }
        }
        return values.size() < names.size()
                ? Optional.empty()
                : Optional.of(
                        Chart.bars(title, found.get().x(), Scale.LINEAR, names, List.of(Series.of(title, values))));
    }

    private static Optional<Double> valueOf(Chart chart, String label, String name) {
        int at = chart.labels().indexOf(label);
        return chart.series().stream()
                .filter(series -> at >= 0 && series.name().equals(name))
                .map(series -> series.points().get(at).y())
                .findFirst();
    }

    /** As a file that needs no page around it. */
    private static String standing(Chart chart) {
        String drawn = BarPicture.of(chart);
        int box = drawn.indexOf("viewBox=\"0 0 ") + "viewBox=\"0 0 ".length();
        String[] size = drawn.substring(box, drawn.indexOf('"', box)).split(" ", -1);
        int width = Integer.parseInt(size[0]) + 2 * MARGIN;
        int height = Integer.parseInt(size[1]) + 2 * MARGIN;
        String shapes = drawn.substring(drawn.indexOf('>') + 1);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" + Html.escape(chart.title())
                + "\" width=\"" + WIDTH + "\" height=\"" + WIDTH * height / width + "\" viewBox=\"" + -MARGIN + " "
                + -MARGIN
                + " " + width + " " + height + "\">\n" + STYLE + "<rect class=\"paper\" x=\"" + -MARGIN + "\" y=\""
                + -MARGIN
                + "\" width=\"" + width + "\" height=\"" + height + "\" rx=\"8\"/>\n" + shapes + "\n";
    }
}
