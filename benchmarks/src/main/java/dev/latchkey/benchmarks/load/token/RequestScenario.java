package dev.latchkey.benchmarks.load.token;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Addresses;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.process.Cost;
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

/** What a token check costs each request: without Spring Security, with it, with a token through Latchkey and through others. */
public final class RequestScenario implements Scenario {

    private static final int CONNECTIONS = 16;

    /** Good for longer than the run; the same text for each variant. */
    private final String credentials = "Bearer " + RequestTokens.good();

    private final RequestFigures figures = new RequestFigures();

    @Override
    public String id() {
        return "request";
    }

    @Override
    public Section run(Effort effort, Progress progress) throws Exception {
        // Two virtual machines compile one program in two ways, and differ by a few percent for as long as they live.
        int processes = effort.pick(1, 2, 2);
        int rounds = effort.pick(2, 5, 6);
        int requests = effort.pick(200, 5_000, 10_000);
        for (int process = 0; process < processes; process++) {
            Map<RequestVariant, ServiceProcess> services =
                    ServiceProcess.startEach(RequestVariant.values(), RequestVariant::start);
            Map<RequestVariant, Ruler> rulers = new EnumMap<>(RequestVariant.class);
            try {
                services.forEach((variant, service) -> rulers.put(variant, Ruler.on(service)));
                check(services);
                warmUp(services, rulers, effort);
                progress.step("checked and warm, process " + (process + 1) + " of " + processes);
                for (int round = 0; round < rounds; round++) {
                    for (RequestVariant variant : inTurn(round)) {
                        Cost cost = rulers.get(variant).measure(asked(), requests);
                        figures.add(
                                variant,
                                Load.run(services.get(variant).port(), Connections.OWN, effort.measured(), crowd())
                                        .get(id()),
                                cost);
                    }
                }
                progress.step(soFar());
            } finally {
                rulers.values().forEach(Ruler::close);
                services.values().forEach(ServiceProcess::close);
            }
        }
        return RequestSection.of(id(), figures, processes, processes * rounds, CONNECTIONS, requests);
    }

    private static void check(Map<RequestVariant, ServiceProcess> services) throws Exception {
        RequestCheck check = new RequestCheck();
        for (Map.Entry<RequestVariant, ServiceProcess> service : services.entrySet()) {
            check.require(service.getKey(), service.getValue().port());
        }
    }

    /** By turns, so that none is compiled while others have the processors for themselves. */
    private void warmUp(
            Map<RequestVariant, ServiceProcess> services, Map<RequestVariant, Ruler> rulers, Effort effort) {
        int passes = 3;
        for (int pass = 0; pass < passes; pass++) {
            for (RequestVariant variant : RequestVariant.values()) {
                rulers.get(variant).measure(asked(), effort.pick(300, 45_000, 90_000) / passes);
                Load.run(services.get(variant).port(), Connections.OWN, effort.measured(), crowd());
            }
        }
    }

    private Asked asked() {
        byte[] request = Way.KEEP_ALIVE.request(credentials, Addresses.of(1));
        return new Asked(Way.KEEP_ALIVE, 1, () -> request, 200);
    }

    private Crowd crowd() {
        return Crowd.closed(
                id(),
                CONNECTIONS,
                Call.get(id(), "/hello").with("Authorization", credentials).with("X-Forwarded-For", Addresses.of(1)));
    }

    /** Each round begins with another one. */
    private static List<RequestVariant> inTurn(int round) {
        List<RequestVariant> turn = new ArrayList<>(Arrays.asList(RequestVariant.values()));
        Collections.rotate(turn, -round);
        return turn;
    }

    private String soFar() {
        return "Latchkey answers " + show(100 * figures.times(RequestVariant.LATCHKEY, RequestVariant.OPEN))
                + "% of what is answered without a token check (a second process of that "
                + show(100 * figures.times(RequestVariant.AGAIN, RequestVariant.OPEN)) + "%), the resource server "
                + show(100 * figures.times(RequestVariant.RESOURCE_SERVER, RequestVariant.OPEN)) + "%, jjwt "
                + show(100 * figures.times(RequestVariant.JJWT, RequestVariant.OPEN)) + "%, auth-jwt alone "
                + show(100 * figures.times(RequestVariant.LEAST, RequestVariant.OPEN)) + "%";
    }
}
