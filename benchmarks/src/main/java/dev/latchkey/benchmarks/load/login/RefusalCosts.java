package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import java.util.EnumMap;
import java.util.Map;

/** What requests cost that are answered or refused, by the way in which a refusal is told. */
final class RefusalCosts {

    /** How a refusal is told. The default is a second: what is held costs the same however long that is. */
    enum Telling {
        HELD("held", "20ms"),
        AT_ONCE("told at once", "0s");

        final String title;
        final String delay;

        Telling(String title, String delay) {
            this.title = title;
            this.delay = delay;
        }
    }

    /**
     * What is asked for: answered, or refused by a limit; answered, or refused while somebody else's hash has the permit. Tomcat closes
     * a connection after 503, with or without Latchkey, so the 200 beside it is asked for with a connection of its own too.
     */
    enum Kind {
        ANSWERED("200", 200, Way.KEEP_ALIVE),
        LIMITED("429", 429, Way.KEEP_ALIVE),
        ANSWERED_BESIDE_A_HASH("200, closing, beside a hash", 200, Way.CLOSING),
        OVERLOADED("503", 503, Way.CLOSING);

        final String title;
        final int status;
        final Way way;

        Kind(String title, int status, Way way) {
            this.title = title;
            this.status = status;
            this.way = way;
        }

        /** Both were measured in the same state of the machine. */
        Kind yardstick() {
            return way == Way.CLOSING ? ANSWERED_BESIDE_A_HASH : ANSWERED;
        }
    }

    private final Map<Telling, Map<Kind, Costs>> costs = new EnumMap<>(Telling.class);

    Costs of(Telling telling, Kind kind) {
        return costs.computeIfAbsent(telling, any -> new EnumMap<>(Kind.class))
                .computeIfAbsent(kind, any -> new Costs());
    }

    double times(Telling telling, Kind kind) {
        return of(telling, kind).times(of(telling, kind.yardstick()), Cost::micros);
    }
}
