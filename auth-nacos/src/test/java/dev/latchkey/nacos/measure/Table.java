package dev.latchkey.nacos.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured, as tables in Markdown: of several rounds, the one whose rate is in the middle. */
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
        List<String> lines = new ArrayList<>();
        lines.add(
                "| a second; and 99 of 100 within | threads | default plugin | Latchkey | ratio | `hashing.at.once`: half | ratio |");
        lines.add("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        rows.forEach((row, loads) -> lines.add("| %s | %d | %s | %s | %s | %s | %s |"
                .formatted(
                        row.what(),
                        row.threads(),
                        cell(loads, Contender.DEFAULT),
                        cell(loads, Contender.LATCHKEY),
                        ratio(loads, Contender.LATCHKEY),
                        cell(loads, Contender.LATCHKEY_HALF),
                        ratio(loads, Contender.LATCHKEY_HALF))));
        return lines;
    }

    private List<String> details() {
        List<String> lines = new ArrayList<>();
        lines.add("| | threads | plugin | requests/s | mean ms | p90 | p95 | p99 | errors |");
        lines.add("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        rows.forEach((row, all) -> all.forEach((contender, loads) -> lines.add(line(row, contender, middle(loads)))));
        return lines;
    }

    private List<String> remarks() {
        return remarks.stream().map(remark -> "- " + remark).toList();
    }

    private static String line(Row row, Contender contender, Load load) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %d |",
                row.what(),
                row.threads(),
                contender,
                load.perSecond(),
                load.mean(),
                load.percentile(0.90),
                load.percentile(0.95),
                load.percentile(0.99),
                load.errors());
    }

    private static String cell(Map<Contender, List<Load>> loads, Contender contender) {
        Load load = middle(loads.getOrDefault(contender, List.of()));
        String errors = load.errors() == 0 ? "" : ", %,d errors".formatted(load.errors());
        return String.format(Locale.ROOT, "%,.1f; %,.0f ms%s", load.perSecond(), load.percentile(0.99), errors);
    }

    /** Of the rates of each round, the ratio in the middle: the rounds differ by more than the plugins do in one of them. */
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
        if (loads.isEmpty()) {
            return new Load(0, 0, List.of(), 0);
        }
        List<Load> sorted = new ArrayList<>(loads);
        sorted.sort((one, other) -> Double.compare(one.perSecond(), other.perSecond()));
        return sorted.get(sorted.size() / 2);
    }
}
