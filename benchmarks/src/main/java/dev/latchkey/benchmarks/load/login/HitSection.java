package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.login.HitCosts.Variant;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the report says about hits. */
final class HitSection {

    private HitSection() {}

    /**
     * The section.
     *
     * @param processes how often all services were started anew
     * @param rounds in all of them together
     */
    static Section of(String id, HitCosts costs, int processes, int rounds, int requests) {
        List<Goal> goals = new ArrayList<>();
        for (Way way : Way.values()) {
            String anchor = way.name().toLowerCase(Locale.ROOT).replace('_', '-');
            goals.add(Goal.atMost(
                    "hits-processor-" + anchor,
                    "Processor time of a request, BCrypt + Latchkey beside no hash, " + way.title(),
                    costs.percent(way, Variant.GUARDED),
                    103,
                    "%"));
            goals.add(Goal.atMost(
                    "hits-bytes-" + anchor,
                    "Bytes that it allocates more, " + way.title(),
                    costs.moreBytes(way, Variant.GUARDED),
                    1_024,
                    "bytes"));
        }
        return new Section(
                id,
                "Hits",
                "What a hit costs: processor time and bytes of one request",
                "A plain service that knows nothing of Latchkey, without and with the starter on its class path: Boot's own filter"
                        + " chain with HTTP Basic, an encoder, a user store of its own, one endpoint. One connection asks, in each of "
                        + rounds + " rounds, " + show((long) requests)
                        + " times; what counts is what the service's process used for it, not how fast it was.",
                goals,
                List.of(
                        chart(costs, "Processor time per request, µs (less is better)", "µs", Cost::micros),
                        chart(costs, "Allocated per request, bytes (less is better)", "bytes", Cost::bytes)),
                Arrays.stream(Way.values()).map(way -> table(costs, way)).toList(),
                List.of(
                        "Processor time is user and system of all threads of the process, the compiler's and the collector's with"
                                + " them. The services take turns within each round; ratios and differences are medians of the"
                                + " rounds' own, and the least is of the round that was disturbed least.",
                        "The same service in a second process shows how far the ruler itself can be believed. "
                                + show((long) processes)
                                + " times all processes are started anew, since what a compiler makes of a program differs from"
                                + " process to process.",
                        "Limits are asked on every request with the guard. The cache alone has the guard off, events, tokens and the"
                                + " default chain."));
    }

    private static Chart chart(HitCosts costs, String title, String unit, ToDoubleFunction<Cost> figure) {
        return Chart.bars(
                title,
                unit,
                Scale.LINEAR,
                Arrays.stream(Variant.values()).map(variant -> variant.title).toList(),
                Arrays.stream(Way.values())
                        .map(way -> Series.of(
                                way.title(),
                                Arrays.stream(Variant.values())
                                        .map(variant -> costs.of(way, variant).median(figure))
                                        .toList()))
                        .toList());
    }

    private static Table table(HitCosts costs, Way way) {
        return new Table(
                "One request, " + way.title(),
                List.of("", "µs, median", "least", "beside no hash, %", "µs more", "bytes, median", "bytes more"),
                Arrays.stream(Variant.values())
                        .map(variant -> List.of(
                                variant.title,
                                show(costs.of(way, variant).median(Cost::micros)),
                                show(costs.of(way, variant).least(Cost::micros)),
                                show(costs.percent(way, variant)),
                                show(costs.of(way, variant).more(costs.of(way, Variant.ZERO), Cost::micros)),
                                show(costs.of(way, variant).median(Cost::bytes)),
                                show(costs.moreBytes(way, variant))))
                        .toList());
    }
}
