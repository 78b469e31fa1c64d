package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.Connections;
import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.report.Figures;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Requests per second of each service and each way to connect, round by round. */
final class BasicFigures {

    /** What stands behind the password. */
    enum Service {
        NO_HASH("no hash"),
        LATCHKEY("BCrypt + Latchkey"),
        BCRYPT("BCrypt");

        final String title;

        Service(String title) {
            this.title = title;
        }
    }

    private final Map<Service, Map<Connections, List<Double>>> perSecond = new EnumMap<>(Service.class);
    private final Map<Service, Map<Connections, Tally>> last = new EnumMap<>(Service.class);

    /** One more round. */
    void add(Service service, Connections connections, Tally tally) {
        perSecond
                .computeIfAbsent(service, any -> new EnumMap<>(Connections.class))
                .computeIfAbsent(connections, any -> new ArrayList<>())
                .add(tally.perSecond());
        last.computeIfAbsent(service, any -> new EnumMap<>(Connections.class)).put(connections, tally);
    }

    /** The median of the rounds. */
    double rate(Service service, Connections connections) {
        return Figures.median(perSecond.get(service).get(connections));
    }

    /** The median of the rounds' own ratios: both sides of each were measured within seconds. */
    double share(Connections connections) {
        List<Double> ours = perSecond.get(Service.LATCHKEY).get(connections);
        List<Double> yardstick = perSecond.get(Service.NO_HASH).get(connections);
        return 100
                * Figures.median(IntStream.range(0, ours.size())
                        .mapToObj(round -> ours.get(round) / yardstick.get(round))
                        .toList());
    }

    /** Of the last round. */
    Tally last(Service service, Connections connections) {
        return last.get(service).get(connections);
    }
}
