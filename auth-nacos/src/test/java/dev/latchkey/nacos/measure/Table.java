package dev.latchkey.nacos.measure;

import dev.latchkey.nacos.live.NacosServer.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured, as a table in Markdown: of several rounds, the one whose rate is in the middle. */
final class Table {

    private record Row(String what, int threads) {}

    private final Map<Row, Map<Kind, List<Load>>> rows = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    void note(String what, Kind kind, Load load) {
        rows.computeIfAbsent(new Row(what, load.threads()), row -> new EnumMap<>(Kind.class))
                .computeIfAbsent(kind, key -> new ArrayList<>())
                .add(load);
        System.out.println(line(new Row(what, load.threads()), kind, load, ""));
    }

    void remark(String text) {
        remarks.add(text);
        System.out.println(text);
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("| | threads | plugin | requests/s | mean ms | p90 | p95 | p99 | errors | ratio |\n");
        text.append("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        rows.forEach((row, byKind) -> byKind.forEach((kind, loads) -> text.append(
                        line(row, kind, middle(loads), kind == Kind.LATCHKEY ? ratio(byKind) : ""))
                .append('\n')));
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return text.append('\n').toString();
    }

    private static String line(Row row, Kind kind, Load load, String ratio) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %s |",
                row.what(),
                row.threads(),
                kind == Kind.LATCHKEY ? "latchkey" : "default",
                load.perSecond(),
                load.mean(),
                load.percentile(0.90),
                load.percentile(0.95),
                load.percentile(0.99),
                load.errors(),
                ratio);
    }

    /** Of the rates of each round, the ratio in the middle: the rounds differ by more than the plugins do in one of them. */
    private static String ratio(Map<Kind, List<Load>> byKind) {
        List<Load> before = byKind.getOrDefault(Kind.DEFAULT, List.of());
        List<Load> after = byKind.getOrDefault(Kind.LATCHKEY, List.of());
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
