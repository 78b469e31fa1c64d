package dev.latchkey.throttle;

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
 * @param longestWait how long a request over a rate waits before it is refused; zero if it is refused at once
 * @param maxWaiting requests that wait for one bucket, at most; more are refused
 * @param maxBuckets remembered for each scope, at most; the least used are forgotten first, and are full when they are used again
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
     * @throws IllegalArgumentException if the name is not of its form or a number is out of its range
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
     * Settings without a rate. Requests over a rate that is added are refused, not delayed, unless {@link #withWaiting} says otherwise.
     *
     * @param name 1 to 64 of {@code [a-z0-9-]}
     * @return 10,000 waiting requests for each bucket, and 100,000 buckets for each scope, at most
     * @throws IllegalArgumentException if the name is not of that form
     */
    public static ThrottleSettings named(String name) {
        return new ThrottleSettings(name, Map.of(), Duration.ZERO, DEFAULT_MAX_WAITING, DEFAULT_MAX_BUCKETS);
    }

    /**
     * Limits a scope, in place of a rate that it may have.
     *
     * @param scope that is limited
     * @param rate of each of its buckets
     * @return a changed copy
     */
    public ThrottleSettings withRate(ThrottleScope scope, BucketRate rate) {
        Map<ThrottleScope, BucketRate> more = new EnumMap<>(ThrottleScope.class);
        more.putAll(rates);
        more.put(scope, rate);
        return new ThrottleSettings(name, more, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Lets requests over a rate wait, without a thread, before they are refused.
     *
     * @param longestWait at all buckets together; zero refuses at once
     * @return a changed copy
     * @throws IllegalArgumentException if it is negative
     */
    public ThrottleSettings withWaiting(Duration longestWait) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Another bound on the requests that wait for one bucket.
     *
     * @param maxWaiting requests; more are refused
     * @return a changed copy
     * @throws IllegalArgumentException if it is negative
     */
    public ThrottleSettings withMaxWaiting(int maxWaiting) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    /**
     * Another bound on the buckets of each scope.
     *
     * @param maxBuckets that are remembered
     * @return a changed copy
     * @throws IllegalArgumentException if it is less than 1
     */
    public ThrottleSettings withMaxBuckets(int maxBuckets) {
        return new ThrottleSettings(name, rates, longestWait, maxWaiting, maxBuckets);
    }

    Shortage shortage() {
        return longestWait.isZero() ? Shortage.REFUSES : Shortage.WAITS;
    }
}
