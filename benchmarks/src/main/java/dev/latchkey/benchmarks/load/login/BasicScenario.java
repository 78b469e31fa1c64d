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
import dev.latchkey.benchmarks.load.process.Program.Addition;
import dev.latchkey.benchmarks.load.process.Rounds;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.load.process.WarmUp;
import dev.latchkey.benchmarks.load.scenario.Effort;
import dev.latchkey.benchmarks.load.scenario.Scenario;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Chart.Series;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Measured;
import dev.latchkey.benchmarks.report.Readings;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A back-end integration over HTTP Basic: without a hash, with BCrypt, and with BCrypt behind the starter. The three services
 * run at the same time and are measured in turn, so a disturbance of the machine reaches all three.
 */
public final class BasicScenario implements Scenario {

    private static final int CONNECTIONS = 16;
    private static final int WAYS = Connections.values().length;

    /**
     * A machine with neighbours changes its speed by a third within seconds. So a window is short and its pair follows at once, and the
     * median is of many pairs.
     */
    private static final int PARTS = 4;

    /** BCrypt is hundreds of times slower, so a few readings suffice. */
    private static final int BCRYPT_READINGS = 3;

    /** The service behind the password. */
    private enum Service {
        NO_HASH("no hash"),
        LATCHKEY("BCrypt + Latchkey"),
        BCRYPT("BCrypt");

        private final String title;

        Service(String title) {
            this.title = title;
        }

        private ServiceProcess start() {
            return ServiceProcess.start(
                    this == LATCHKEY ? Set.of(Addition.STARTER) : Set.of(),
                    this == NO_HASH ? HashPool.NONE : HashPool.BCRYPT);
        }
    }

    /** Round by round. */
    private final Measured<Service, Connections, Tally> measured = new Measured<>();

    @Override
    public double seconds(Effort effort) {
        // A hash ends up to a second after its window.
        return effort.seconds(3, WAYS * (2 * effort.rounds() + BCRYPT_READINGS), 0, 1) + WAYS * BCRYPT_READINGS;
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Map<Service, ServiceProcess> services = ServiceProcess.startEach(Service.values(), Service::start);
        try {
            progress.step("warm-up");
            List<ServiceProcess> fast = List.of(services.get(Service.NO_HASH), services.get(Service.LATCHKEY));
            WarmUp.run(fast, effort, () -> {
                for (Connections connections : Connections.values()) {
                    fast.forEach(service ->
                            measure(service, connections, effort.warmUp().dividedBy(WAYS)));
                }
            });
            ServiceProcess bcrypt = services.get(Service.BCRYPT);
            // One way suffices: beside a hash, a connection costs nothing.
            WarmUp.run(List.of(bcrypt), effort, () -> measure(bcrypt, Connections.OWN, effort.warmUp()));
            WarmUp.awaitIdle(bcrypt);
            int rounds = PARTS * effort.rounds();
            for (int round = 0; round < rounds; round++) {
                for (Connections connections : Connections.values()) {
                    for (Service service : inTurn(round, rounds)) {
                        // Few logins with BCrypt end in a short window.
                        Duration window = service == Service.BCRYPT
                                ? effort.measured()
                                : effort.measured().dividedBy(PARTS);
                        Tally tally = measure(services.get(service), connections, window)
                                .answered(connections.title() + ", " + service.title);
                        measured.of(service, connections).add(tally);
                        progress.step(
                                connections.title() + ", " + service.title + ": " + show(tally.perSecond()) + "/s");
                    }
                }
            }
        } finally {
            services.values().forEach(ServiceProcess::close);
        }
        return section();
    }

    /** Neighbours in time are compared, and each comes first in half of the rounds. BCrypt needs no precision. */
    private static List<Service> inTurn(int round, int rounds) {
        List<Service> turn = Rounds.turn(List.of(Service.NO_HASH, Service.LATCHKEY), round);
        if (round % (rounds / BCRYPT_READINGS) == 0) {
            turn.add(Service.BCRYPT);
        }
        return turn;
    }

    private static Tally measure(ServiceProcess service, Connections connections, Duration duration) {
        Crowd crowd = Crowd.closed(
                        "basic", CONNECTIONS, Call.get("basic", "/basic/hello").withBasic())
                .inTurn(Accounts.first(1));
        return Load.run(service.port(), connections, duration, Load.HASH_PATIENCE, crowd)
                .get("basic");
    }

    /** The median of the rounds. */
    private double rate(Service service, Connections connections) {
        return measured.of(service, connections).median(Tally::perSecond);
    }

    /** In percent of the service without a hash: the median of the rounds' own ratios, since both sides of each were measured within seconds. */
    private double share(Connections connections) {
        Readings<Tally> yardstick = measured.of(Service.NO_HASH, connections);
        return 100 * measured.of(Service.LATCHKEY, connections).times(yardstick, Tally::perSecond);
    }

    private Section section() {
        List<Goal> goals = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (Connections connections : Connections.values()) {
            String column = connections.title();
            String anchor = connections.name().toLowerCase(Locale.ROOT);
            goals.add(Goal.atLeast(
                    "basic-share-" + anchor,
                    "BCrypt + Latchkey beside no hash at all, " + column,
                    share(connections),
                    90,
                    "%"));
            goals.add(Goal.atLeast(
                    "basic-gain-" + anchor,
                    "BCrypt + Latchkey beside BCrypt, " + column,
                    rate(Service.LATCHKEY, connections) / rate(Service.BCRYPT, connections),
                    100,
                    "×"));
            for (Service service : Service.values()) {
                Tally last = measured.of(service, connections).last();
                rows.add(Table.row(
                        column + ", " + service.title,
                        rate(service, connections),
                        last.meanMillis(),
                        last.millisAt(99),
                        last.errors()));
            }
        }
        return new Section(
                "basic",
                "HTTP Basic",
                "HTTP Basic: one integration, sixteen connections",
                "Every request carries a name and a password. The three services are the same program; the second has one jar"
                        + " more on its class path. Sixteen connections, each asking again as soon as it is answered.",
                goals,
                List.of(new Chart(
                        "Requests per second (more is better; logarithmic)",
                        "requests per second",
                        Chart.Scale.LOGARITHMIC,
                        Arrays.stream(Connections.values())
                                .map(Connections::title)
                                .toList(),
                        Arrays.stream(Service.values())
                                .map(service -> Series.of(
                                        service.title,
                                        List.of(Connections.values()),
                                        connections -> rate(service, connections)))
                                .toList())),
                List.of(new Table(
                        "Rates and response times", List.of("", "requests/s", "mean, ms", "p99, ms", "errors"), rows)),
                List.of(
                        "Services and generator share the cores, so these are ratios, not capacities.",
                        "The goal has the error of the ruler in it: two runs within an hour gave 97.2 % and 91.4 % for the first way. What a"
                                + " hit costs is read from the process (hits), and in a profile it is 3.1 % of a request"
                                + " (results/hit-profile-jdk17.txt)."));
    }
}
