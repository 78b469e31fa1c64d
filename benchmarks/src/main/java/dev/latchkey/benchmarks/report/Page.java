package dev.latchkey.benchmarks.report;

import static dev.latchkey.benchmarks.report.Html.element;
import static dev.latchkey.benchmarks.report.Html.escape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report as a single HTML page: no script, no network, no font of its own. */
public final class Page {

    private Page() {}

    public static String of(Report report) {
        long goals = report.sections().stream()
                .mapToLong(section -> section.goals().size())
                .sum();
        long met = report.sections().stream()
                .flatMap(section -> section.goals().stream())
                .filter(Goal::isMet)
                .count();
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Latchkey, measured</title>\n<style>\n"
                + style() + "</style>\n</head>\n<body>\n<header>\n<h1>Latchkey, measured</h1>\n"
                + element("p", "lead", lead(report, met, goals))
                + navigation(report) + "</header>\n<main>\n"
                + join(report.sections(), Page::section)
                + machine(report) + "</main>\n</body>\n</html>\n";
    }

    private static String lead(Report report, long met, long goals) {
        return "<strong>" + met + " of " + goals + "</strong> goals met. Made "
                + report.runs().stream().map(run -> run(run, report)).collect(Collectors.joining(", "))
                + ". The services and the generator share one machine, so read the figures as ratios. All numbers: "
                + "<a href=\"results.json\">results.json</a>.";
    }

    /** A single run needs no list of its scenarios. */
    private static String run(Run run, Report report) {
        String date = escape(run.date());
        return "on <time datetime=\"" + date + "\">" + date + "</time> by " + element("code", "", escape(run.command()))
                + (report.runs().size() == 1 ? "" : " (" + escape(String.join(", ", run.sections())) + ")");
    }

    private static String navigation(Report report) {
        return "<nav aria-label=\"Sections\">"
                + join(
                        report.sections(),
                        section -> "<a href=\"#" + escape(section.id()) + "\">" + escape(section.name()) + "</a>")
                + "<a href=\"#machine\">Machine</a></nav>\n";
    }

    private static String section(Section section) {
        return "<section id=\"" + escape(section.id()) + "\">\n" + element("h2", "", escape(section.title()))
                + element("p", "", escape(section.text()))
                + (section.goals().isEmpty()
                        ? ""
                        : element("ul", "goals", join(missedFirst(section.goals()), Page::goal)))
                + (section.charts().isEmpty() ? "" : element("div", "charts", join(section.charts(), Page::chart)))
                + join(section.tables(), table -> element("h3", "", escape(table.title())) + table(table))
                + join(section.notes(), note -> element("p", "note", escape(note)))
                + "</section>\n";
    }

    /** A reader must not overlook a missed goal. */
    private static List<Goal> missedFirst(List<Goal> goals) {
        return goals.stream().sorted(Comparator.comparing(Goal::isMet)).toList();
    }

    private static String goal(Goal goal) {
        String bound = goal.bound() == Goal.Bound.AT_LEAST ? "at least " : "at most ";
        List<String> parts = List.of(
                element("span", "verdict", goal.isMet() ? "met" : "not met"),
                element("span", "what", escape(goal.text())),
                element("span", "figure", escape(Figures.show(goal.measured()) + " " + goal.unit())),
                element("span", "target", escape(bound + Figures.show(goal.target()) + " " + goal.unit())));
        return element("li", goal.isMet() ? "met" : "missed", String.join(" ", parts));
    }

    /** A table with bars before its values. */
    private static String chart(Chart chart) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < chart.labels().size(); i++) {
            rows.append("<tr><th scope=\"rowgroup\" colspan=\"2\">")
                    .append(escape(chart.labels().get(i)))
                    .append("</th></tr>");
            for (int s = 0; s < chart.series().size(); s++) {
                double value = chart.series().get(s).values().get(i);
                rows.append(String.format(
                        Locale.ROOT,
                        "<tr title=\"%s\"><td><span class=\"s%d\" style=\"width:%.1f%%\"></span></td><td>%s</td></tr>",
                        escape(chart.series().get(s).name()),
                        s,
                        100 * chart.share(value),
                        Figures.show(value)));
            }
        }
        return element(
                "figure",
                "",
                element("figcaption", "", escape(chart.title()))
                        + legend(chart)
                        + element("table", "", rows + "<tr><td></td><td>" + escape(chart.unit()) + "</td></tr>"));
    }

    private static String legend(Chart chart) {
        if (chart.series().size() < 2) {
            return "";
        }
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < chart.series().size(); i++) {
            items.append("<li><span class=\"s" + i + "\"></span>")
                    .append(escape(chart.series().get(i).name()))
                    .append("</li>");
        }
        return element("ul", "legend", items.toString());
    }

    private static String table(Table table) {
        String head = join(table.columns(), column -> "<th scope=\"col\">" + escape(column) + "</th>");
        return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + escape(table.title())
                + "\"><table><thead><tr>" + head + "</tr></thead><tbody>" + join(table.rows(), Page::row)
                + "</tbody></table></div>\n";
    }

    private static String row(List<String> cells) {
        return "<tr><th scope=\"row\">" + escape(cells.get(0)) + "</th>"
                + join(cells.subList(1, cells.size()), cell -> "<td>" + escape(cell) + "</td>") + "</tr>";
    }

    private static String machine(Report report) {
        return "<section id=\"machine\">\n<h2>Machine</h2>\n<dl>"
                + join(
                        List.copyOf(report.machine().entrySet()),
                        entry -> "<div><dt>" + escape(entry.getKey()) + "</dt><dd>" + escape(entry.getValue())
                                + "</dd></div>")
                + "</dl>\n</section>\n";
    }

    private static <T> String join(List<T> items, Function<T, String> html) {
        return items.stream().map(html).collect(Collectors.joining());
    }

    private static String style() {
        try (InputStream style = Page.class.getResourceAsStream("/page.css")) {
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
