package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketRate;
import java.util.Map;

/**
 * The current settings and the totals of a {@link Throttle}, for JMX and actuators.
 *
 * @param name of the throttle
 * @param rates the current rates
 * @param buckets the number of remembered buckets, by scope
 * @param waiting requests now
 * @param passed requests or chunks; only grows
 * @param refused requests or chunks; only grows
 */
public record ThrottleSnapshot(
        String name,
        Map<ThrottleScope, BucketRate> rates,
        Map<ThrottleScope, Long> buckets,
        int waiting,
        long passed,
        long refused) {

    /**
     * Copies the maps.
     *
     * @param name of the throttle
     * @param rates the current rates
     * @param buckets the number of remembered buckets, by scope
     * @param waiting requests now
     * @param passed requests or chunks
     * @param refused requests or chunks
     */
    public ThrottleSnapshot {
        rates = Map.copyOf(rates);
        buckets = Map.copyOf(buckets);
    }
}
