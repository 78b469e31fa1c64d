package dev.latchkey.benchmarks.load.scenario;

import static dev.latchkey.benchmarks.report.Figures.show;

import dev.latchkey.benchmarks.load.Accounts;
import dev.latchkey.benchmarks.load.Call;
import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Crowd;
import dev.latchkey.benchmarks.load.HashPool;
import dev.latchkey.benchmarks.load.Load;
import dev.latchkey.benchmarks.load.Progress;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.process.Program.Starter;
import dev.latchkey.benchmarks.load.process.ServiceProcess;
import dev.latchkey.benchmarks.report.Chart;
import dev.latchkey.benchmarks.report.Figures;
import dev.latchkey.benchmarks.report.Goal;
import dev.latchkey.benchmarks.report.Section;
import dev.latchkey.benchmarks.report.Series;
import dev.latchkey.benchmarks.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A back-end integration over HTTP Basic: without a hash, with BCrypt, and with BCrypt behind the starter. The three services
 * run side by side and are measured in turn, column by column, so that what disturbs the machine disturbs all three.
 */
final class BasicScenario implements Scenario {

    private static final int CONNECTIONS = 16;

    private enum Service {
        NO_HASH("no hash"),
        LATCHKEY("BCrypt + Latchkey"),
        BCRYPT("BCrypt");

        private final String title;

        Service(String title) {
            this.title = title;
        }

        ServiceProcess start() {
            return this == NO_HASH
                    ? ServiceProcess.start(
                            Starter.ABSENT, "subject.hashing=NONE", "subject.hashes=" + HashPool.NONE.file())
                    : ServiceProcess.start(
                            this == LATCHKEY ? Starter.PRESENT : Starter.ABSENT,
                            "subject.hashes=" + HashPool.STRONG.file());
        }
    }

    /** For each service and way to connect, a figure per round. */
    private final Map<Service, Map<Connections, List<Double>>> perSecond = new EnumMap<>(Service.class);

    private final Map<Service, Map<Connections, Tally>> last = new EnumMap<>(Service.class);

    @Override
    public String id() {
        return "basic";
    }

    @Override
    public Section run(Effort effort, Progress progress) {
        Map<Service, ServiceProcess> services = ServiceProcess.startEach(Service.values(), Service::start);
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
                        note(service, connections, tally);
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

    private void note(Service service, Connections connections, Tally tally) {
        perSecond
                .computeIfAbsent(service, any -> new EnumMap<>(Connections.class))
                .computeIfAbsent(connections, any -> new ArrayList<>())
                .add(tally.perSecond());
        last.computeIfAbsent(service, any -> new EnumMap<>(Connections.class)).put(connections, tally);
    }

    private double rate(Service service, Connections connections) {
        return Figures.median(perSecond.get(service).get(connections));
    }

    /** The median of the rounds' own ratios: both sides of each were measured within seconds. */
    private double share(Connections connections) {
        List<Double> ours = perSecond.get(Service.LATCHKEY).get(connections);
        List<Double> yardstick = perSecond.get(Service.NO_HASH).get(connections);
        return 100
                * Figures.median(IntStream.range(0, ours.size())
                        .mapToObj(round -> ours.get(round) / yardstick.get(round))
                        .toList());
    }

    private Section section() {
        List<Goal> goals = new ArrayList<>();
        for (Connections connections : Connections.values()) {
            String column = connections.title();
            goals.add(Goal.atLeast(
                    "basic-share-" + connections.name().toLowerCase(java.util.Locale.ROOT),
                    "BCrypt + Latchkey beside no hash at all, " + column,
                    share(connections),
                    95,
                    "%"));
            goals.add(Goal.atLeast(
                    "basic-gain-" + connections.name().toLowerCase(java.util.Locale.ROOT),
                    "BCrypt + Latchkey beside BCrypt, " + column,
                    rate(Service.LATCHKEY, connections) / rate(Service.BCRYPT, connections),
                    100,
                    "×"));
        }
        List<String> columns =
                Arrays.stream(Connections.values()).map(Connections::title).toList();
        List<Series> bars = Arrays.stream(Service.values())
                .map(service -> Series.of(
                        service.title,
                        Arrays.stream(Connections.values())
                                .map(connections -> rate(service, connections))
                                .toList()))
                .toList();
        return new Section(
                id(),
                "HTTP Basic",
                "HTTP Basic: one integration, sixteen connections",
                "Every request carries a name and a password. The three services are the same program; the second has one jar"
                        + " more on its class path. Sixteen connections, each asking again as soon as it is answered.",
                goals,
                List.of(Chart.bars(
                        "Requests per second (more is better; logarithmic)",
                        "requests per second",
                        Chart.Scale.LOGARITHMIC,
                        columns,
                        bars)),
                List.of(table()),
                List.of("Services and generator share the cores, so these are ratios, not capacities."));
    }

    private Table table() {
        List<List<String>> rows = new ArrayList<>();
        for (Connections connections : Connections.values()) {
            for (Service service : Service.values()) {
                Tally tally = last.get(service).get(connections);
                rows.add(List.of(
                        connections.title() + ", " + service.title,
                        show(rate(service, connections)),
                        show(tally.meanMillis()),
                        show(tally.millisAt(99)),
                        show(tally.errors())));
            }
        }
        return new Table("Rates and response times", List.of("", "requests/s", "mean, ms", "p99, ms", "errors"), rows);
    }
}
