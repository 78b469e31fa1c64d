package dev.latchkey.auth.guard.throttle;

import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketRate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The rates of a {@link Throttle}, and whether requests over them wait or are refused.
 *
 * @param name for metrics, header fields and those who change rates while running; as {@link BucketPolicy#name}
 * @param rates by scope; a scope without a rate is not limited
 * @param longestWait zero if what exceeds a rate is refused at once
 * @param maxWaiting requests that wait for one bucket; more are refused
 * @param maxBuckets of each scope; the least used are forgotten first
 */
public record ThrottleSettings(
        String name, Map<ThrottleScope, BucketRate> rates, Duration longestWait, int maxWaiting, int maxBuckets) {

    private static final int DEFAULT_MAX_WAITING = 10_000;
    private static final int DEFAULT_MAX_BUCKETS = 100_000;

    /** @throws IllegalArgumentException if the name is not of its form or a number is out of its range */
    public ThrottleSettings {
        BucketPolicy.requireName(name);
        rates = Map.copyOf(rates);
        if (longestWait.isNegative() || maxWaiting < 0 || maxBuckets < 1) {
            throw new IllegalArgumentException("The throttle '" + name
                    + "' needs a wait and a number of waiting requests that are not negative, and room for a bucket");
        }
    }

    /** Settings without a rate; requests over a rate that is added are refused, not delayed. */
    public static ThrottleSettings named(String name) {
        return new ThrottleSettings(name, Map.of(), Duration.ZERO, DEFAULT_MAX_WAITING, DEFAULT_MAX_BUCKETS);
    }

    public ThrottleSettings withRate(ThrottleScope scope, BucketRate rate) {
        Map<ThrottleScope, BucketRate> more = new EnumMap<>(ThrottleScope.class);
        more.putAll(rates);
        more.put(scope, rate);
        return new ThrottleSettings(name, more, longestWait, maxWaiting, maxBuckets);
    }

    /** Lets requests over a rate wait, without a thread, for at most this long before they are refused. */
    public ThrottleSettings withWaiting(Duration longestWait) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    public ThrottleSettings withMaxWaiting(int maxWaiting) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    public ThrottleSettings withMaxBuckets(int maxBuckets) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    Shortage shortage() {
        return longestWait.isZero() ? Shortage.REFUSES : Shortage.WAITS;
    }
}
