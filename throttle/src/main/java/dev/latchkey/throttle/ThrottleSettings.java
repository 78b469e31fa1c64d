package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketRate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The rates of a {@link Throttle}, and the choice between waiting and rejection.
 *
 * @param name for metrics, header fields and changes at run time; as {@link BucketPolicy#name}
 * @param rates by scope; a scope without a rate is not limited
 * @param longestWait the longest wait of a request over a rate; zero for immediate rejection
 * @param maxWaiting the largest number of requests that wait for tokens of one bucket; further requests are rejected. A
 *     request that only waits for the answer of a shared store does not count
 * @param maxBuckets the largest number of buckets for each scope; the least used are forgotten first. A forgotten bucket
 *     is full at its next use, unless the throttle is shared
 */
public record ThrottleSettings(
        String name, Map<ThrottleScope, BucketRate> rates, Duration longestWait, int maxWaiting, int maxBuckets) {

    private static final int DEFAULT_MAX_WAITING = 10_000;
    private static final int DEFAULT_MAX_BUCKETS = 100_000;

    /**
     * @param name 1 to 64 of {@code [a-z0-9-]}
     * @param rates by scope; copied
     * @param longestWait not negative
     * @param maxWaiting not negative
     * @param maxBuckets at least 1
     * @throws IllegalArgumentException if the name has another form or a number is out of its range
     */
    public ThrottleSettings {
        BucketPolicy.requireName(name);
        rates = Map.copyOf(rates);
        if (longestWait.isNegative() || maxWaiting < 0 || maxBuckets < 1) {
            throw new IllegalArgumentException("The throttle '" + name
                    + "' needs a wait and a number of waiting requests that are not negative, and room for a bucket");
        }
    }

    /**
     * Settings without a rate. Requests over an added rate are rejected, not delayed, unless {@link #withWaiting} is
     * set.
     *
     * @param name 1 to 64 of {@code [a-z0-9-]}
     * @return at most 10,000 waiting requests for each bucket, and 100,000 buckets for each scope
     * @throws IllegalArgumentException if the name has another form
     */
    public static ThrottleSettings named(String name) {
        return new ThrottleSettings(name, Map.of(), Duration.ZERO, DEFAULT_MAX_WAITING, DEFAULT_MAX_BUCKETS);
    }

    /**
     * Returns a copy with a limit for a scope, instead of an earlier limit.
     *
     * @param scope the limited scope
     * @param rate of each bucket of the scope
     * @return a changed copy
     */
    public ThrottleSettings withRate(ThrottleScope scope, BucketRate rate) {
        Map<ThrottleScope, BucketRate> more = new EnumMap<>(ThrottleScope.class);
        more.putAll(rates);
        more.put(scope, rate);
        return new ThrottleSettings(name, more, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Returns a copy in which requests over a rate wait without a thread before rejection.
     *
     * @param longestWait at all buckets together; zero rejects at once
     * @return a changed copy
     * @throws IllegalArgumentException if the time is negative
     */
    public ThrottleSettings withWaiting(Duration longestWait) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Returns a copy with another limit on the requests that wait for one bucket.
     *
     * @param maxWaiting requests; further requests are rejected
     * @return a changed copy
     * @throws IllegalArgumentException if the number is negative
     */
    public ThrottleSettings withMaxWaiting(int maxWaiting) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Returns a copy with another limit on the buckets of each scope.
     *
     * @param maxBuckets the number of remembered buckets
     * @return a changed copy
     * @throws IllegalArgumentException if the number is less than 1
     */
    public ThrottleSettings withMaxBuckets(int maxBuckets) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    Shortage shortage() {
        return longestWait.isZero() ? Shortage.REFUSES : Shortage.WAITS;
    }
}
