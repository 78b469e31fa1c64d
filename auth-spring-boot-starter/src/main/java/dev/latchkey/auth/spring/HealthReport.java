package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HashingPoolStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How Latchkey is, in words of no Boot line: health has other types in Boot 4 than before.
 *
 * @param code {@code UP}; {@code OUT_OF_SERVICE} while logins are refused for want of a thread to hash on (lately, and the pool
 *     is still full: one busy moment is no illness); {@code
 *     DOWN} while a plugin's store does not answer
 * @param details no account, no source and no secret
 */
record HealthReport(String code, Map<String, Object> details) {

    static final String UP = "UP";
    static final String SATURATED = "OUT_OF_SERVICE";
    static final String DOWN = "DOWN";

    static HealthReport of(List<HashingPool> pools, Outages outages) {
        Map<String, Object> details = new LinkedHashMap<>();
        String code = UP;
        for (HashingPool pool : pools) {
            HashingPoolStats stats = pool.stats();
            boolean saturated =
                    outages.hasRefusedHashes() && isFull(stats, pool.settings().maxWait());
            code = saturated ? SATURATED : code;
            details.put(
                    "hashing",
                    Map.of(
                            "saturated", saturated,
                            "threads", stats.threads(),
                            "active", stats.running(),
                            "queued", stats.queued()));
        }
        if (outages.isBucketStoreLost()) {
            // Logins go on, each node by limits of its own.
            details.put("sharedLimits", "down, limits are local");
        }
        if (!outages.plugins().isEmpty()) {
            code = DOWN;
            details.put("down", List.copyOf(outages.plugins()));
        }
        return new HealthReport(code, details);
    }

    /** As many hash and wait as can be done in the time that a login may wait; an idle thread is always a place. */
    private static boolean isFull(HashingPoolStats stats, Duration maxWait) {
        long inTime = maxWait.multipliedBy(stats.threads()).dividedBy(stats.estimate());
        return stats.running() + stats.queued() >= Math.max(stats.threads(), inTime);
    }
}
