package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.load.token.RequestVariant.AGAIN;
import static dev.latchkey.benchmarks.load.token.RequestVariant.JJWT;
import static dev.latchkey.benchmarks.load.token.RequestVariant.LATCHKEY;
import static dev.latchkey.benchmarks.load.token.RequestVariant.OPEN;
import static dev.latchkey.benchmarks.load.token.RequestVariant.RESOURCE_SERVER;
import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the report says about the cost of a token check to each request. */
public final class RequestSection {

    private RequestSection() {}

    /**
     * The section.
     *
     * @param connections that ask at a time where rates are measured
     * @param requests of each round where costs are measured
     */
    public static Section of(
            String id, RequestFigures figures, int processes, int rounds, int connections, int requests) {
        return new Section(
                id,
                "A request",
                "What a token check costs each request",
                "One endpoint that answers a constant text: without Spring Security; behind its filters, which ask for nothing; and"
                        + " with a token that Latchkey's starter checks, or Spring's resource server with Nimbus, or a filter by hand"
                        + " with jjwt. The last one is a filter by hand with auth-jwt alone, which does nothing but read and verify:"
                        + " the least that a check can cost there. The token and the key are the same, and all are shown it. In each of "
                        + rounds + " rounds "
                        + connections + " connections ask as fast as they are answered, and then one asks "
                        + show((long) requests) + " times for what a request costs the process.",
                goals(figures),
                List.of(
                        chart("Requests per second (more is better)", "requests per second", figures::rate),
                        chart(
                                "Allocated per request, bytes (less is better)",
                                "bytes",
                                variant -> figures.costs(variant).median(Cost::bytes)),
                        chart(
                                "Processor time per request, µs (less is better)",
                                "µs",
                                variant -> figures.costs(variant).median(Cost::micros))),
                List.of(table(figures)),
                List.of(
                        "Each variant is a process of its own with its own libraries and no others on its class path, and they take turns"
                                + " in each round. All of them are started anew "
                                + show((long) processes)
                                + " times. Ratios are medians of the rounds' own; the second process of the same variant shows how far"
                                + " they can be believed.",
                        "The connections and the service share the cores, so a rate has the generator's own time in it, and differs by"
                                + " less than the processor time does.",
                        "Before it is measured each one that checks tokens has refused a token that is expired, of another key, with"
                                + " another signature, without one, and none at all; and all have answered the same to the good one.",
                        "The filter by hand with auth-jwt alone reads the header, verifies the token and says whose it is: no revocation,"
                                + " no limit, no other credentials. No filter in this chain keeps more than that. A part of what it"
                                + " costs is Spring's firewall, which looks through the value of each header that is read."));
    }

    private static List<Goal> goals(RequestFigures figures) {
        return List.of(
                Goal.atLeast(
                        "request-rate-open",
                        "Requests with a token through Latchkey, beside Spring Security without a token check",
                        100 * figures.times(LATCHKEY, OPEN),
                        97,
                        "%"),
                Goal.atLeast(
                        "request-rate-nimbus",
                        "The same beside Spring's resource server with Nimbus",
                        figures.times(LATCHKEY, RESOURCE_SERVER),
                        1,
                        "×"),
                Goal.atLeast(
                        "request-rate-jjwt",
                        "The same beside a filter by hand with jjwt",
                        figures.times(LATCHKEY, JJWT),
                        1,
                        "×"));
    }

    private static Chart chart(String title, String unit, ToDoubleFunction<RequestVariant> figure) {
        List<RequestVariant> shown = Arrays.stream(RequestVariant.values())
                .filter(variant -> variant != AGAIN)
                .toList();
        return Chart.bars(
                title,
                unit,
                Scale.LINEAR,
                shown.stream().map(RequestVariant::title).toList(),
                List.of(Series.of(
                        unit, shown.stream().map(figure::applyAsDouble).toList())));
    }

    private static Table table(RequestFigures figures) {
        List<List<String>> rows = new ArrayList<>();
        for (RequestVariant variant : RequestVariant.values()) {
            Costs costs = figures.costs(variant);
            rows.add(List.of(
                    variant.title(),
                    show(figures.rate(variant)),
                    show(100 * figures.times(variant, OPEN)),
                    show(figures.millisAt(variant, 99)),
                    show(costs.median(Cost::micros)),
                    show(costs.more(figures.costs(OPEN), Cost::micros)),
                    show(costs.median(Cost::bytes)),
                    show(costs.more(figures.costs(OPEN), Cost::bytes))));
        }
        return new Table(
                "One request; the differences are to Spring Security without a token check",
                List.of("", "requests/s", "beside it, %", "p99, ms", "µs", "µs more", "bytes", "bytes more"),
                rows);
    }
}
