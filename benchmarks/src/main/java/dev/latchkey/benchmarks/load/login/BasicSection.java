package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.login.BasicFigures.Service;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the report says about HTTP Basic. */
final class BasicSection {

    private BasicSection() {}

    static Section of(String id, BasicFigures figures) {
        List<Goal> goals = new ArrayList<>();
        for (Connections connections : Connections.values()) {
            String column = connections.title();
            goals.add(Goal.atLeast(
                    "basic-share-" + connections.name().toLowerCase(Locale.ROOT),
                    "BCrypt + Latchkey beside no hash at all, " + column,
                    figures.share(connections),
                    95,
                    "%"));
            goals.add(Goal.atLeast(
                    "basic-gain-" + connections.name().toLowerCase(Locale.ROOT),
                    "BCrypt + Latchkey beside BCrypt, " + column,
                    figures.rate(Service.LATCHKEY, connections) / figures.rate(Service.BCRYPT, connections),
                    100,
                    "×"));
        }
        List<String> columns =
                Arrays.stream(Connections.values()).map(Connections::title).toList();
        List<Series> bars = Arrays.stream(Service.values())
                .map(service -> Series.of(
                        service.title,
                        Arrays.stream(Connections.values())
                                .map(connections -> figures.rate(service, connections))
                                .toList()))
                .toList();
        return new Section(
                id,
                "HTTP Basic",
                "HTTP Basic: one integration, sixteen connections",
                "Every request carries a name and a password. The three services are the same program; the second has one jar"
                        + " more on its class path. Sixteen connections, each asking again as soon as it is answered.",
                goals,
                List.of(Chart.bars(
                        "Requests per second (more is better; logarithmic)",
                        "requests per second",
                        Chart.Scale.LOGARITHMIC,
                        columns,
                        bars)),
                List.of(table(figures)),
                List.of("Services and generator share the cores, so these are ratios, not capacities."));
    }

    private static Table table(BasicFigures figures) {
        List<List<String>> rows = new ArrayList<>();
        for (Connections connections : Connections.values()) {
            for (Service service : Service.values()) {
                Tally tally = figures.last(service, connections);
                rows.add(List.of(
                        connections.title() + ", " + service.title,
                        show(figures.rate(service, connections)),
                        show(tally.meanMillis()),
                        show(tally.millisAt(99)),
                        show(tally.errors())));
            }
        }
        return new Table("Rates and response times", List.of("", "requests/s", "mean, ms", "p99, ms", "errors"), rows);
    }
}
