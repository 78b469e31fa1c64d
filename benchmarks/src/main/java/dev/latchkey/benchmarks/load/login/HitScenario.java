package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.PlainAccounts;
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.Rounds;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.Way;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Measured;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The cost of a request with a cached password, beside a service without hashes and without Latchkey. */
public final class HitScenario implements Scenario {

    private static final String CREDENTIALS = PlainAccounts.credentials(PlainAccounts.ALICE);
    private static final List<Connections> WARM_UP = List.of(Connections.OWN, Connections.SHARED_CLOSING);

    /** The plain service, without and with the starter. */
    private enum Variant {
        ZERO("no hash"),
        AGAIN("no hash, in a second process"),
        LEAST("BCrypt behind the least that a cache costs"),
        GUARDED("BCrypt + Latchkey");

        private final String title;

        Variant(String title) {
            this.title = title;
        }

        private ServiceProcess start() {
            return switch (this) {
                case ZERO, AGAIN -> PlainAccounts.unhashed();
                case LEAST -> PlainAccounts.hashed(Set.of(), "plain.hashing=least-cache");
                case GUARDED -> PlainAccounts.hashed(Set.of(Addition.STARTER));
            };
        }
    }

    private final Measured<Way, Variant, Cost> costs = new Measured<>();

    private static Rounds rounds(Effort effort) {
        return new Rounds(effort.pick(1, 1, 3), effort.pick(3, 3, 4));
    }

    @Override
    public double seconds(Effort effort) {
        Rounds rounds = rounds(effort);
        int readings = Variant.values().length * Way.values().length * (rounds.all() + rounds.processes());
        return effort.seconds(Variant.values().length * rounds.processes(), 0, readings, rounds.processes());
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Rounds rounds = rounds(effort);
        rounds.run(
                effort,
                Variant.values(),
                Variant::start,
                (variant, ruler) -> warmUp(ruler, effort),
                (variant, ruler) -> {
                    for (Way way : Way.values()) {
                        costs.of(way, variant).add(ruler.measure(ruler.alone(way, CREDENTIALS), effort.costed()));
                    }
                },
                () -> progress.step("beside no hash, keep-alive: " + show(percent(Way.KEEP_ALIVE, Variant.GUARDED))
                        + "%, in a second process " + show(percent(Way.KEEP_ALIVE, Variant.AGAIN)) + "%"));
        return section(rounds, effort);
    }

    /** The hash first; then the generator, with many connections; then the client of the readings. */
    private static void warmUp(Ruler ruler, Effort effort) {
        ruler.measure(ruler.alone(Way.KEEP_ALIVE, CREDENTIALS), Duration.ZERO);
        for (Connections connections : WARM_UP) {
            ruler.load(connections, CREDENTIALS, effort.warmUp().dividedBy(WARM_UP.size()));
        }
        for (Way way : Way.values()) {
            ruler.measure(ruler.alone(way, CREDENTIALS), effort.costed().dividedBy(2));
        }
    }

    /** Processor time beside that of the service without a hash. */
    private double percent(Way way, Variant variant) {
        return percent(way, variant, Variant.ZERO);
    }

    private double percent(Way way, Variant variant, Variant yardstick) {
        return 100 * costs.of(way, variant).times(costs.of(way, yardstick), Cost::micros);
    }

    private double moreBytes(Way way, Variant variant) {
        return costs.of(way, variant).more(costs.of(way, Variant.ZERO), Cost::bytes);
    }

    private Section section(Rounds rounds, Effort effort) {
        List<Goal> goals = new ArrayList<>();
        for (Way way : Way.values()) {
            String anchor = way.name().toLowerCase(Locale.ROOT).replace('_', '-');
            goals.add(Goal.atMost(
                    "hits-processor-" + anchor,
                    "Processor time of a request, BCrypt + Latchkey beside no hash, " + way.title(),
                    percent(way, Variant.GUARDED),
                    103,
                    "%"));
            goals.add(Goal.atMost(
                    "hits-processor-least-" + anchor,
                    "The same beside the least that a cache of passwords costs: an HMAC and a look-up, " + way.title(),
                    percent(way, Variant.GUARDED, Variant.LEAST),
                    105,
                    "%"));
            goals.add(Goal.atMost(
                    "hits-bytes-" + anchor,
                    "Bytes that it allocates more, " + way.title(),
                    moreBytes(way, Variant.GUARDED),
                    1_024,
                    "bytes"));
        }
        return new Section(
                "hits",
                "Hits",
                "What a hit costs: processor time and bytes of one request",
                "A plain service that knows nothing of Latchkey, without and with the starter on its class path: Boot's own filter"
                        + " chain with HTTP Basic, an encoder, a user store of its own, one endpoint. One connection asks, in each of "
                        + rounds.all() + " rounds, for " + show(effort.costed().toMillis())
                        + " ms; what counts is what the service's process used for it, not how fast it was.",
                goals,
                List.of(
                        chart("Processor time per request, µs (less is better)", "µs", Cost::micros),
                        chart("Allocated per request, bytes (less is better)", "bytes", Cost::bytes)),
                Arrays.stream(Way.values()).map(this::table).toList(),
                List.of(
                        "Processor time is user and system of all threads of the process, the compiler's and the collector's with"
                                + " them. The services take turns within each round; ratios and differences are medians of the"
                                + " rounds' own, and the least is of the round that was disturbed least.",
                        "The same service in a second process shows how far the ruler itself can be believed. "
                                + show((long) rounds.processes())
                                + " times all processes are started anew, since what a compiler makes of a program differs from"
                                + " process to process.",
                        "Limits are asked on every request with the guard. The least cache has no bound, no expiry and no limits."));
    }

    private Chart chart(String title, String unit, ToDoubleFunction<Cost> figure) {
        return new Chart(
                title,
                unit,
                Scale.LINEAR,
                Arrays.stream(Variant.values()).map(variant -> variant.title).toList(),
                Arrays.stream(Way.values())
                        .map(way -> Series.of(
                                way.title(),
                                List.of(Variant.values()),
                                variant -> costs.of(way, variant).median(figure)))
                        .toList());
    }

    private Table table(Way way) {
        return new Table(
                "One request, " + way.title(),
                List.of("", "µs, median", "least", "beside no hash, %", "bytes, median", "bytes more"),
                Arrays.stream(Variant.values())
                        .map(variant -> Table.row(
                                variant.title,
                                costs.of(way, variant).median(Cost::micros),
                                costs.of(way, variant).least(Cost::micros),
                                percent(way, variant),
                                costs.of(way, variant).median(Cost::bytes),
                                moreBytes(way, variant)))
                        .toList());
    }
}
