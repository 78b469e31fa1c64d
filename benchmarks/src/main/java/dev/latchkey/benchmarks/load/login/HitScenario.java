package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.login.HitCosts.Variant;
import dev.latchkey.benchmarks.load.process.PlainAccounts;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.Ruler;
import dev.latchkey.benchmarks.load.process.Ruler.Asked;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a request costs whose password the cache knows, beside one of a service that hashes nothing and has no Latchkey. */
public final class HitScenario implements Scenario {

    private static final String GUARD_OFF = "latchkey.guard.enabled=false";

    private final HitCosts costs = new HitCosts();

    @Override
    public String id() {
        return "hits";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        // Two virtual machines compile one program in two ways, and differ by a tenth for as long as they live.
        int processes = effort.pick(1, 2, 6);
        int rounds = effort.pick(2, 5, 3);
        int requests = effort.pick(200, 5_000, 10_000);
        for (int process = 0; process < processes; process++) {
            Map<Variant, ServiceProcess> services = ServiceProcess.startEach(Variant.values(), HitScenario::start);
            Map<Variant, Ruler> rulers = new EnumMap<>(Variant.class);
            try {
                services.forEach((variant, service) -> rulers.put(variant, Ruler.on(service)));
                warmUp(rulers, effort);
                progress.step("warm, process " + (process + 1) + " of " + processes);
                for (int round = 0; round < rounds; round++) {
                    for (Way way : Way.values()) {
                        for (Variant variant : inTurn(round)) {
                            costs.of(way, variant).add(rulers.get(variant).measure(hit(way), requests));
                        }
                    }
                }
                progress.step(soFar());
            } finally {
                rulers.values().forEach(Ruler::close);
                services.values().forEach(ServiceProcess::close);
            }
        }
        return HitSection.of(id(), costs, processes, processes * rounds, requests);
    }

    private static ServiceProcess start(Variant variant) {
        return switch (variant) {
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

    private String soFar() {
        return "BCrypt + Latchkey: "
                + String.join(
                        ", ",
                        Arrays.stream(Way.values())
                                .map(way -> way.title() + " " + show(costs.percent(way, Variant.GUARDED))
                                        + "% (in a second process "
                                        + show(costs.percent(way, Variant.AGAIN)) + "%) and "
                                        + show(costs.moreBytes(way, Variant.GUARDED)) + " bytes more")
                                .toList());
    }
}
