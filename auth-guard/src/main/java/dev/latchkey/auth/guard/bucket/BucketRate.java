package dev.latchkey.auth.guard.bucket;

import java.time.Duration;

/**
 * The rate and the burst of a throttle.
 *
 * <p>In any second at most {@code burst} plus a second's refill passes. For a global rate with 2% precision in every
 * second, the burst must be below a fiftieth of the rate. A burst that is smaller than the refill between two wake-ups
 * (a millisecond or so) loses throughput. {@link #perSecond} uses a hundredth.
 *
 * @param tokens refilled evenly in each {@code per}; the unit is requests or bytes, as the caller counts
 * @param per at least a nanosecond per token
 * @param burst the bucket's size, at least 1; a higher cost is taken in several parts
 */
public record BucketRate(long tokens, Duration per, long burst) {

    private static final int DEFAULT_BURSTS_PER_SECOND = 100;
    private static final double NANOS = 1e9;

    /**
     * @param tokens refilled evenly in each {@code per}, at least 1
     * @param per at least a nanosecond per token, and at most 292 years
     * @param burst the bucket's size, at least 1
     * @throws IllegalArgumentException if a value is out of its range
     */
    public BucketRate {
        LimitWindow.of(tokens, per);
        if (burst < 1) {
            throw new IllegalArgumentException("A bucket holds at least 1 token, got " + burst);
        }
    }

    /**
     * Creates a rate per second, with a burst of a hundredth.
     *
     * @param tokens at least 1
     * @return with a burst of at least 1
     * @throws IllegalArgumentException if there are no tokens, or more than one per nanosecond
     */
    public static BucketRate perSecond(long tokens) {
        return of(tokens, Duration.ofSeconds(1));
    }

    /**
     * Creates a rate, with a burst of a hundredth of a second's tokens.
     *
     * @param tokens at least 1
     * @param per at least a nanosecond per token, and at most 292 years
     * @return with a burst of at least 1
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static BucketRate of(long tokens, Duration per) {
        LimitWindow.of(tokens, per);
        long perSecond = (long) (tokens / (per.toNanos() / NANOS));
        return new BucketRate(tokens, per, Math.max(1, perSecond / DEFAULT_BURSTS_PER_SECOND));
    }

    /**
     * Returns a copy with another burst.
     *
     * @param burst at least 1
     * @return a changed copy
     * @throws IllegalArgumentException if the burst is less than 1
     */
    public BucketRate withBurst(long burst) {
        return new BucketRate(tokens, per, burst);
    }
}
