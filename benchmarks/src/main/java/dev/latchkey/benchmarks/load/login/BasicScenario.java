package dev.latchkey.benchmarks.load.login;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.login.BasicFigures.Service;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A back-end integration over HTTP Basic: without a hash, with BCrypt, and with BCrypt behind the starter. The three services
 * run side by side and are measured in turn, column by column, so that what disturbs the machine disturbs all three.
 */
public final class BasicScenario implements Scenario {

    private static final int CONNECTIONS = 16;

    private final BasicFigures figures = new BasicFigures();

    @Override
    public String id() {
        return "basic";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Map<Service, ServiceProcess> services = ServiceProcess.startEach(Service.values(), BasicScenario::start);
        try {
            for (Service service : List.of(Service.NO_HASH, Service.LATCHKEY, Service.NO_HASH, Service.LATCHKEY)) {
                progress.step("warm-up: " + service.title);
                measure(services.get(service), Connections.SHARED, effort.warmUp());
                measure(services.get(service), Connections.NEW_EACH, effort.warmUp());
            }
            for (int round = 0; round < effort.rounds(); round++) {
                for (Connections connections : Connections.values()) {
                    for (Service service : inTurn(round)) {
                        Tally tally = measure(services.get(service), connections, effort.measured());
                        figures.add(service, connections, tally);
                        progress.step(
                                connections.title() + ", " + service.title + ": " + show(tally.perSecond()) + "/s");
                    }
                }
            }
        } finally {
            services.values().forEach(ServiceProcess::close);
        }
        return BasicSection.of(id(), figures);
    }

    private static ServiceProcess start(Service service) {
        return service == Service.NO_HASH
                ? ServiceProcess.start(Starter.ABSENT, "subject.hashing=NONE", "subject.hashes=" + HashPool.NONE.file())
                : ServiceProcess.start(
                        service == Service.LATCHKEY ? Starter.PRESENT : Starter.ABSENT,
                        "subject.hashes=" + HashPool.STRONG.file());
    }

    /** What is compared is neighbours in time, each before the other in half of the rounds; BCrypt needs no precision. */
    private static List<Service> inTurn(int round) {
        List<Service> turn = new ArrayList<>(List.of(Service.NO_HASH, Service.LATCHKEY));
        if (round % 2 == 1) {
            turn.sort(Comparator.reverseOrder());
        }
        if (round == 0) {
            turn.add(Service.BCRYPT);
        }
        return turn;
    }

    private static Tally measure(ServiceProcess service, Connections connections, Duration duration) {
        Crowd crowd = Crowd.closed(
                        "basic", CONNECTIONS, Call.get("basic", "/basic/hello").withBasic())
                .beginningWith(user -> user.become(Accounts.name(0)));
        return Load.run(service.port(), connections, duration, crowd).get("basic");
    }
}
