package dev.latchkey.benchmarks.load.login;

import dev.latchkey.benchmarks.load.process.Cost;
import dev.latchkey.benchmarks.load.process.Costs;
import dev.latchkey.benchmarks.load.process.SocketClient.Way;
import java.util.EnumMap;
import java.util.Map;

/** What a request costs each variant of the plain service, by the way in which it is asked. */
final class HitCosts {

    /** The plain service, without and with the starter and its parts. */
    enum Variant {
        ZERO("no hash"),
        AGAIN("no hash, in a second process"),
        UNHASHED("no hash + Latchkey"),
        GUARDED("BCrypt + Latchkey"),
        UNGUARDED("the same, guard off"),
        CACHE("the same, the cache alone");

        final String title;

        Variant(String title) {
            this.title = title;
        }
    }

    private final Map<Way, Map<Variant, Costs>> costs = new EnumMap<>(Way.class);

    Costs of(Way way, Variant variant) {
        return costs.computeIfAbsent(way, any -> new EnumMap<>(Variant.class))
                .computeIfAbsent(variant, any -> new Costs());
    }

    /** Processor time beside that of the service without a hash. */
    double percent(Way way, Variant variant) {
        return 100 * of(way, variant).times(of(way, Variant.ZERO), Cost::micros);
    }

    double moreBytes(Way way, Variant variant) {
        return of(way, variant).more(of(way, Variant.ZERO), Cost::bytes);
    }
}
