package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.load.process.PlainAccounts;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.Ruler.Asked;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Scale;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What a request costs whose password the cache knows, beside one of a service that hashes nothing and has no Latchkey. */
final class HitScenario implements Scenario {

    private static final String GUARD_OFF = "latchkey.guard.enabled=false";

    private enum Variant {
        ZERO("no hash"),
        AGAIN("no hash, in a second process"),
        UNHASHED("no hash + Latchkey"),
        GUARDED("BCrypt + Latchkey"),
        UNGUARDED("the same, guard off"),
        CACHE("the same, the cache alone");

        private final String title;

        Variant(String title) {
            this.title = title;
        }

        ServiceProcess start() {
            return switch (this) {
                case ZERO, AGAIN -> PlainAccounts.unhashed(Starter.ABSENT);
                case UNHASHED -> PlainAccounts.unhashed(Starter.PRESENT);
                case GUARDED -> PlainAccounts.hashed(Starter.PRESENT);
                case UNGUARDED -> PlainAccounts.hashed(Starter.PRESENT, GUARD_OFF);
                case CACHE ->
                    PlainAccounts.hashed(
                            Starter.PRESENT,
                            GUARD_OFF,
                            "latchkey.events.enabled=false",
                            "latchkey.default-chain.enabled=false",
                            "latchkey.jwt.enabled=false",
                            "latchkey.resource-server.enabled=false");
            };
        }
    }

    private final Map<Way, Map<Variant, Costs>> costs = new EnumMap<>(Way.class);

    @Override
    public String id() {
        return "hits";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        // Two virtual machines compile one program in two ways, and differ by a few percent for as long as they live.
        int processes = effort.pick(1, 2, 3);
        int rounds = effort.pick(2, 5, 7);
        int requests = effort.pick(200, 5_000, 10_000);
        for (int process = 0; process < processes; process++) {
            Map<Variant, ServiceProcess> services = ServiceProcess.startEach(Variant.values(), Variant::start);
            Map<Variant, Ruler> rulers = new EnumMap<>(Variant.class);
            try {
                services.forEach((variant, service) -> rulers.put(variant, Ruler.on(service)));
                warmUp(rulers, effort);
                progress.step("warm, process " + (process + 1) + " of " + processes);
                for (int round = 0; round < rounds; round++) {
                    for (Way way : Way.values()) {
                        for (Variant variant : inTurn(round)) {
                            of(way, variant).add(rulers.get(variant).measure(hit(way), requests));
                        }
                    }
                }
                progress.step(soFar());
            } finally {
                rulers.values().forEach(Ruler::close);
                services.values().forEach(ServiceProcess::close);
            }
        }
        return section(effort, processes * rounds, requests);
    }

    /** By turns, so that none is compiled while others have the processors for themselves. */
    private static void warmUp(Map<Variant, Ruler> rulers, Effort effort) {
        int passes = 3;
        for (int pass = 0; pass < passes; pass++) {
            rulers.values().forEach(ruler -> {
                ruler.measure(hit(Way.KEEP_ALIVE), effort.pick(300, 30_000, 60_000) / passes);
                ruler.measure(hit(Way.CLOSING), effort.pick(100, 15_000, 30_000) / passes);
            });
        }
    }

    private static Asked hit(Way way) {
        byte[] request = way.request(PlainAccounts.credentials(PlainAccounts.ALICE), Addresses.of(1));
        return new Asked(way, 1, () -> request, 200);
    }

    /** Each round begins with another one. */
    private static List<Variant> inTurn(int round) {
        List<Variant> turn = new ArrayList<>(Arrays.asList(Variant.values()));
        Collections.rotate(turn, -round);
        return turn;
    }

    private Costs of(Way way, Variant variant) {
        return costs.computeIfAbsent(way, any -> new EnumMap<>(Variant.class))
                .computeIfAbsent(variant, any -> new Costs());
    }

    private double percent(Way way, Variant variant) {
        return 100 * of(way, variant).times(of(way, Variant.ZERO), Cost::micros);
    }

    private double moreBytes(Way way, Variant variant) {
        return of(way, variant).more(of(way, Variant.ZERO), Cost::bytes);
    }

    private String soFar() {
        return "BCrypt + Latchkey: "
                + String.join(
                        ", ",
                        Arrays.stream(Way.values())
                                .map(way -> way.title() + " " + show(percent(way, Variant.GUARDED))
                                        + "% (in a second process "
                                        + show(percent(way, Variant.AGAIN)) + "%) and "
                                        + show(moreBytes(way, Variant.GUARDED)) + " bytes more")
                                .toList());
    }

    private Section section(Effort effort, int rounds, int requests) {
        List<Goal> goals = new ArrayList<>();
        for (Way way : Way.values()) {
            String id = way.name().toLowerCase(Locale.ROOT).replace('_', '-');
            goals.add(Goal.atMost(
                    "hits-processor-" + id,
                    "Processor time of a request, BCrypt + Latchkey beside no hash, " + way.title(),
                    percent(way, Variant.GUARDED),
                    103,
                    "%"));
            goals.add(Goal.atMost(
                    "hits-bytes-" + id,
                    "Bytes that it allocates more, " + way.title(),
                    moreBytes(way, Variant.GUARDED),
                    1_024,
                    "bytes"));
        }
        return new Section(
                id(),
                "Hits",
                "What a hit costs: processor time and bytes of one request",
                "A plain service that knows nothing of Latchkey, without and with the starter on its class path: Boot's own filter"
                        + " chain with HTTP Basic, an encoder, a user store of its own, one endpoint. One connection asks, in each of "
                        + rounds + " rounds, " + show((long) requests)
                        + " times; what counts is what the service's process used for it, not how fast it was.",
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
                                + show((long) effort.pick(1, 2, 3))
                                + " times all processes are started anew, since what a compiler makes of a program differs from"
                                + " process to process.",
                        "Limits are asked on every request with the guard. The cache alone has the guard off, events, tokens and the"
                                + " default chain."));
    }

    private Chart chart(String title, String unit, ToDoubleFunction<Cost> figure) {
        return Chart.bars(
                title,
                unit,
                Scale.LINEAR,
                Arrays.stream(Variant.values()).map(variant -> variant.title).toList(),
                Arrays.stream(Way.values())
                        .map(way -> Series.of(
                                way.title(),
                                Arrays.stream(Variant.values())
                                        .map(variant -> of(way, variant).median(figure))
                                        .toList()))
                        .toList());
    }

    private Table table(Way way) {
        return new Table(
                "One request, " + way.title(),
                List.of("", "µs, median", "least", "beside no hash, %", "µs more", "bytes, median", "bytes more"),
                Arrays.stream(Variant.values())
                        .map(variant -> List.of(
                                variant.title,
                                show(of(way, variant).median(Cost::micros)),
                                show(of(way, variant).least(Cost::micros)),
                                show(percent(way, variant)),
                                show(of(way, variant).more(of(way, Variant.ZERO), Cost::micros)),
                                show(of(way, variant).median(Cost::bytes)),
                                show(moreBytes(way, variant))))
                        .toList());
    }
}
