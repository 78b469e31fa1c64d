package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.load.token.RequestVariant.AGAIN;
import static dev.latchkey.benchmarks.load.token.RequestVariant.JJWT;
import static dev.latchkey.benchmarks.load.token.RequestVariant.LATCHKEY;
import static dev.latchkey.benchmarks.load.token.RequestVariant.LEAST;
import static dev.latchkey.benchmarks.load.token.RequestVariant.OPEN;
import static dev.latchkey.benchmarks.load.token.RequestVariant.RESOURCE_SERVER;
import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Rounds;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.Way;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Readings;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The cost of a token check for each request: with Spring Security, with a token through Latchkey and through other libraries.
 */
public final class RequestScenario implements Scenario {

    /** Good for longer than the run; the same text for each variant. */
    private final String credentials = "Bearer " + RequestTokens.good();

    private final Map<RequestVariant, Readings<Tally>> tallies = new EnumMap<>(RequestVariant.class);
    private final Map<RequestVariant, Readings<Cost>> costs = new EnumMap<>(RequestVariant.class);

    private static Rounds rounds(Effort effort) {
        return new Rounds(effort.pick(1, 1, 2), effort.pick(2, 3, 3));
    }

    @Override
    public double seconds(Effort effort) {
        Rounds rounds = rounds(effort);
        int variants = RequestVariant.values().length;
        return effort.seconds(
                variants * rounds.processes(),
                variants * rounds.all(),
                variants * (rounds.all() + rounds.processes()),
                2);
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Rounds rounds = rounds(effort);
        RequestCheck check = new RequestCheck();
        rounds.run(
                effort,
                RequestVariant.values(),
                RequestVariant::start,
                (variant, ruler) -> {
                    check.require(variant, ruler.port());
                    ruler.load(Connections.OWN, credentials, effort.warmUp());
                    ruler.measure(
                            ruler.alone(Way.KEEP_ALIVE, credentials),
                            effort.costed().dividedBy(2));
                },
                (variant, ruler) -> {
                    costs.computeIfAbsent(variant, any -> new Readings<>())
                            .add(ruler.measure(ruler.alone(Way.KEEP_ALIVE, credentials), effort.costed()));
                    Tally tally = ruler.load(Connections.OWN, credentials, effort.measured());
                    if (tally.errors() > 0 || tally.good() == 0) {
                        throw new IllegalStateException(
                                tally.errors() + " of " + tally.requests() + " requests failed, " + variant.title());
                    }
                    tallies.computeIfAbsent(variant, any -> new Readings<>()).add(tally);
                },
                () -> progress.step("Latchkey answers " + show(100 * times(LATCHKEY, LEAST))
                        + "% of what the least check answers; of no check, " + show(100 * times(LATCHKEY, OPEN))
                        + "%, a second process "
                        + show(100 * times(AGAIN, OPEN)) + "%, the resource server "
                        + show(100 * times(RESOURCE_SERVER, OPEN)) + "%, jjwt " + show(100 * times(JJWT, OPEN)) + "%"));
        return section(rounds, effort);
    }

    /** The ratio of the requests per second of both services; the median of the ratios of all rounds. */
    private double times(RequestVariant variant, RequestVariant other) {
        return tallies.get(variant).times(tallies.get(other), Tally::perSecond);
    }

    private Section section(Rounds rounds, Effort effort) {
        return new Section(
                "request",
                "A request",
                "What a token check costs each request",
                "One endpoint that answers a constant text: behind Spring Security's filters, which ask for nothing; and with a token"
                        + "  that Latchkey's starter checks, or Spring's resource server with Nimbus, or a filter by hand"
                        + " with jjwt. The last one is a filter by hand with auth-jwt alone, which does nothing but read and verify:"
                        + " the least that a check can cost there. The token and the key are the same, and all are shown it. In each of "
                        + rounds.all() + " rounds "
                        + Ruler.CLIENTS + " connections ask as fast as they are answered, and then one asks "
                        + "for " + show(effort.costed().toMillis()) + " ms, for what a request costs the process.",
                List.of(
                        Goal.atLeast(
                                "request-rate-least",
                                "Requests with a token through Latchkey, beside the least that a check costs: a filter by hand with auth-jwt alone",
                                100 * times(LATCHKEY, LEAST),
                                93,
                                "%"),
                        Goal.atLeast(
                                "request-rate-nimbus",
                                "The same beside Spring's resource server with Nimbus",
                                times(LATCHKEY, RESOURCE_SERVER),
                                1,
                                "×"),
                        Goal.atLeast(
                                "request-rate-jjwt",
                                "The same beside a filter by hand with jjwt",
                                times(LATCHKEY, JJWT),
                                1,
                                "×")),
                List.of(
                        chart(
                                "Requests per second (more is better)",
                                "requests per second",
                                variant -> tallies.get(variant).median(Tally::perSecond)),
                        chart(
                                "Allocated per request, bytes (less is better)",
                                "bytes",
                                variant -> costs.get(variant).median(Cost::bytes)),
                        chart(
                                "Processor time per request, µs (less is better)",
                                "µs",
                                variant -> costs.get(variant).median(Cost::micros))),
                List.of(new Table(
                        "One request; the differences are to Spring Security without a token check",
                        List.of("", "requests/s", "beside it, %", "p99, ms", "µs", "µs more", "bytes", "bytes more"),
                        Arrays.stream(RequestVariant.values()).map(this::row).toList())),
                List.of(
                        "Each variant is a process of its own with its own libraries and no others on its class path, and they take turns"
                                + " in each round. All of them are started anew "
                                + show((long) rounds.processes())
                                + " times. Ratios are medians of the rounds' own; the second process of the same variant shows how far"
                                + " they can be believed.",
                        "The connections and the service share the cores, so a rate has the generator's own time in it, and differs by"
                                + " less than the processor time does.",
                        "Before it is measured each one that checks tokens has refused a token that is expired, of another key, with"
                                + " another signature, without one, and none at all; and all have answered the same to the good one.",
                        "The filter by hand with auth-jwt alone reads the header, verifies the token and says whose it is: no revocation,"
                                + " no limit, no other credentials. No filter in this chain keeps more than that. A part of what it"
                                + " costs is Spring's firewall, which looks through the value of each header that is read.",
                        "The goal is the floor: a check that can be revoked, is audited and gives authorities costs 6.5 % more than"
                                + " that filter (results/request-profile-jdk17.txt)."));
    }

    private Chart chart(String title, String unit, ToDoubleFunction<RequestVariant> figure) {
        List<RequestVariant> shown = Arrays.stream(RequestVariant.values())
                .filter(variant -> variant != AGAIN)
                .toList();
        return new Chart(
                title,
                unit,
                Scale.LINEAR,
                shown.stream().map(RequestVariant::title).toList(),
                List.of(Series.of(unit, shown, figure)));
    }

    private List<String> row(RequestVariant variant) {
        Readings<Cost> these = costs.get(variant);
        return Table.row(
                variant.title(),
                tallies.get(variant).median(Tally::perSecond),
                100 * times(variant, OPEN),
                tallies.get(variant).median(tally -> tally.millisAt(99)),
                these.median(Cost::micros),
                these.more(costs.get(OPEN), Cost::micros),
                these.median(Cost::bytes),
                these.more(costs.get(OPEN), Cost::bytes));
    }
}
