package dev.latchkey.benchmarks.load.scenario;

import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Report;
import dev.latchkey.benchmarks.report.ReportFile;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The same goals on other kinds of processors, virtual machines and threads. Other runs have measured them, each into a file of its
 * own, {@code report/kinds/<kind>.json}.
 */
public final class KindScenario implements Scenario {

    private static final Set<String> SECTIONS = Set.of("basic", "hits", "request", "refusals", "peers", "starts");

    @Override
    public Section run(Effort effort, Progress progress) throws IOException {
        Path folder = Path.of(System.getProperty("benchmarks.home"), "report", "kinds");
        Map<String, Report> reports = new TreeMap<>();
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".json")).toList()) {
                    reports.put(file.getFileName().toString().replace(".json", ""), ReportFile.read(file));
                }
            }
        }
        return section(reports);
    }

    /** The section of these reports, by their kind. */
    static Section section(Map<String, Report> reports) {
        Map<String, Map<String, Goal>> goals = new LinkedHashMap<>();
        reports.forEach((kind, report) -> report.sections().stream()
                .filter(section -> SECTIONS.contains(section.id()))
                .flatMap(section -> section.goals().stream())
                .forEach(goal -> goals.computeIfAbsent(goal.text(), any -> new LinkedHashMap<>())
                        .put(kind, goal)));
        List<String> columns = new ArrayList<>(List.of(""));
        columns.addAll(reports.keySet());
        List<List<String>> rows = new ArrayList<>();
        goals.forEach((text, of) -> {
            List<String> row = new ArrayList<>(List.of(text));
            for (String kind : reports.keySet()) {
                Goal goal = of.get(kind);
                row.add(goal == null ? "" : (Figures.show(goal.measured()) + " " + goal.unit()).trim());
            }
            rows.add(row);
        });
        return new Section(
                "kinds",
                "Kinds",
                "Other processors, virtual machines and threads",
                "The same commands with and without SHA instructions of the processor, on JDK 17 and 25, and with virtual threads"
                        + " in the services. Each column is a run of its own.",
                List.of(),
                List.of(),
                reports.isEmpty() ? List.of() : List.of(new Table("Measured figures", columns, rows)),
                reports.isEmpty() ? List.of("No other kind was measured yet.") : List.of());
    }
}
