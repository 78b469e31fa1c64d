package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingStats;
import dev.latchkey.auth.store.LocalRevocations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The health of Latchkey, without types of Boot: the health types differ between the lines.
 *
 * @param code {@code OUT_OF_SERVICE} if hashes were refused lately and all permits are still in use; {@code DOWN} if a required
 *     plugin or the needed revocation store does not answer; otherwise {@code UP}
 * @param details contains no account, client IP or secret
 */
record HealthReport(String code, Map<String, Object> details) {

    static final String UP = "UP";
    static final String SATURATED = "OUT_OF_SERVICE";
    static final String DOWN = "DOWN";

    static HealthReport of(
            List<HashingPermits> permits,
            List<PluginBulkhead> plugins,
            List<LocalRevocations.Status> revocations,
            Set<String> required,
            Set<String> down,
            Outages outages) {
        Map<String, Object> details = new LinkedHashMap<>();
        String code = UP;
        for (HashingPermits each : permits) {
            HashingStats stats = each.stats();
            boolean saturated =
                    outages.hasRefusedHashes() && isFull(stats, each.settings().maxWait());
            code = saturated ? SATURATED : code;
            details.put(
                    "hashing",
                    Map.of(
                            "saturated", saturated,
                            "permits", stats.atOnce(),
                            "active", stats.running(),
                            "waiting", stats.waiting()));
        }
        if (!plugins.isEmpty()) {
            details.put("plugins", callsOf(plugins));
        }
        for (LocalRevocations.Status copy : revocations) {
            details.put(
                    "revocations",
                    Map.of(
                            "remembered", copy.size(),
                            "upToDate", copy.isFresh(),
                            "age",
                                    copy.age()
                                            .map(Duration::toString)
                                            .orElse(copy.wasRead() ? "no room" : "never read")));
            code = copy.isAnswering() ? code : DOWN;
        }
        // No change of the status: each node applies its own limits meanwhile.
        if (outages.isStoreOfLimitsLost()) {
            details.put("sharedLimits", "down, limits are local");
        }
        if (!down.isEmpty()) {
            code = down.stream().anyMatch(required::contains) ? DOWN : code;
            details.put("down", List.copyOf(down));
        }
        return new HealthReport(code, details);
    }

    /** A full bulkhead refuses the plugin's own credentials only. The status of the service stays. */
    private static Map<String, Object> callsOf(List<PluginBulkhead> plugins) {
        Map<String, Object> calls = new LinkedHashMap<>();
        for (PluginBulkhead plugin : plugins) {
            calls.put(
                    plugin.plugin(),
                    Map.of("running", plugin.running(), "most", plugin.most(), "refused", plugin.refused()));
        }
        return calls;
    }

    /** Whether the queue is longer than the permits can serve within the wait. A free permit always means no. */
    private static boolean isFull(HashingStats stats, Duration maxWait) {
        long inTime = maxWait.multipliedBy(stats.atOnce()).dividedBy(stats.estimate());
        return stats.running() + stats.waiting() >= Math.max(stats.atOnce(), inTime);
    }
}
