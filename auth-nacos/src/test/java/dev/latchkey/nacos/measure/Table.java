package dev.latchkey.nacos.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured, as tables in Markdown: the median of the turns. */
final class Table {

    private record Row(String what, int threads) {}

    private final Map<Row, Map<Contender, List<Load>>> rows = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    void note(String what, Contender contender, Load load) {
        Row row = new Row(what, load.threads());
        rows.computeIfAbsent(row, key -> new EnumMap<>(Contender.class))
                .computeIfAbsent(contender, key -> new ArrayList<>())
                .add(load);
        System.out.println(line(row, contender, load));
    }

    void remark(String text) {
        remarks.add(text);
        System.out.println(text);
    }

    /** First the table of README.md, then all that is known. */
    String markdown() {
        return Stream.of(compared(), List.of(""), details(), List.of(""), remarks())
                .flatMap(List::stream)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private List<String> compared() {
        Set<Contender> contenders = EnumSet.noneOf(Contender.class);
        rows.values().forEach(loads -> contenders.addAll(loads.keySet()));
        contenders.remove(Contender.DEFAULT);
        List<String> lines = new ArrayList<>();
        lines.add("| a second; and 99 of 100 within | threads | %s |%s"
                .formatted(Contender.DEFAULT, ofEach(contenders, each -> " " + each + " | ratio |")));
        lines.add("| --- | ---: | ---: |" + ofEach(contenders, each -> " ---: | ---: |"));
        rows.forEach((row, loads) -> lines.add("| %s | %d | %s |%s"
                .formatted(
                        row.what(),
                        row.threads(),
                        cell(loads, Contender.DEFAULT),
                        ofEach(contenders, each -> " %s | %s |".formatted(cell(loads, each), ratio(loads, each))))));
        return lines;
    }

    private static String ofEach(Set<Contender> contenders, Function<Contender, String> text) {
        return contenders.stream().map(text).collect(Collectors.joining());
    }

    private List<String> details() {
        List<String> lines = new ArrayList<>();
        lines.add("| | threads | plugin | requests/s | mean ms | p90 | p95 | p99 | errors | errors, % |");
        lines.add("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        rows.forEach((row, all) -> all.forEach((contender, loads) -> lines.add(line(row, contender, middle(loads)))));
        return lines;
    }

    private List<String> remarks() {
        return remarks.stream().map(remark -> "- " + remark).toList();
    }

    private static String line(Row row, Contender contender, Load load) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %.1f |",
                row.what(),
                row.threads(),
                contender,
                load.perSecond(),
                load.mean(),
                load.percentile(0.90),
                load.percentile(0.95),
                load.percentile(0.99),
                load.errors(),
                load.errorPercent());
    }

    private static String cell(Map<Contender, List<Load>> loads, Contender contender) {
        if (!loads.containsKey(contender)) {
            return "";
        }
        Load load = middle(loads.get(contender));
        String errors = load.errors() == 0
                ? ""
                : String.format(Locale.ROOT, ", %,d errors (%.1f %%)", load.errors(), load.errorPercent());
        return String.format(Locale.ROOT, "%,.1f; %,.0f ms%s", load.perSecond(), load.percentile(0.99), errors);
    }

    /** The median of the ratios of all turns: turns differ by more than the plugins within one turn. */
    private static String ratio(Map<Contender, List<Load>> loads, Contender contender) {
        List<Load> before = loads.getOrDefault(Contender.DEFAULT, List.of());
        List<Load> after = loads.getOrDefault(contender, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            ratios.add(after.get(i).perSecond() / before.get(i).perSecond());
        }
        ratios.sort(null);
        return ratios.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", ratios.get(ratios.size() / 2));
    }

    private static Load middle(List<Load> loads) {
        List<Load> sorted = new ArrayList<>(loads);
        sorted.sort((one, other) -> Double.compare(one.perSecond(), other.perSecond()));
        return sorted.get(sorted.size() / 2);
    }
}
