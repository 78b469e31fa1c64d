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
 * How Latchkey is, in words of no Boot line: health has other types in Boot 4 than before.
 *
 * @param code {@code UP}; {@code OUT_OF_SERVICE} while logins are refused for want of a permit to hash (lately, and all are still taken: one busy
 *     moment is no illness); {@code DOWN} while the store of a required plugin does not answer, or that of revocations where it is needed
 * @param details no account, no source and no secret
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
                            "age", copy.age().map(Duration::toString).orElse("never read")));
            code = copy.isAnswering() ? code : DOWN;
        }
        // Logins go on, by limits of each node's own.
        if (outages.isStoreOfLimitsLost()) {
            details.put("sharedLimits", "down, limits are local");
        }
        if (!outages.plugins().isEmpty()) {
            code = outages.plugins().stream().anyMatch(required::contains) ? DOWN : code;
            details.put("down", List.copyOf(outages.plugins()));
        }
        return new HealthReport(code, details);
    }

    /** A plugin whose places are all taken refuses what it supports and nothing else, so the service is no less up. */
    private static Map<String, Object> callsOf(List<PluginBulkhead> plugins) {
        Map<String, Object> calls = new LinkedHashMap<>();
        for (PluginBulkhead plugin : plugins) {
            calls.put(
                    plugin.plugin(),
                    Map.of("running", plugin.running(), "most", plugin.most(), "refused", plugin.refused()));
        }
        return calls;
    }

    /** Whether as many hashes are computed and waited for as can be done in the time that a login may wait. A free permit is always a place. */
    private static boolean isFull(HashingStats stats, Duration maxWait) {
        long inTime = maxWait.multipliedBy(stats.atOnce()).dividedBy(stats.estimate());
        return stats.running() + stats.waiting() >= Math.max(stats.atOnce(), inTime);
    }
}
