package dev.latchkey.auth.guard.bucket;

import java.time.Duration;

/**
 * The rate of a throttle, and its burst.
 *
 * <p>In any second at most {@code burst} plus a second's refill passes. So a global rate that must hold to 2% in every second needs a burst below a
 * fiftieth of it. A burst too small to bridge the gap between two wake-ups (a millisecond or so) loses throughput. {@link #perSecond} takes a
 * hundredth.
 *
 * @param tokens refilled evenly in each {@code per}; they are requests or bytes, as whoever takes them counts
 * @param per at least a nanosecond per token
 * @param burst what the bucket holds, at least 1; what costs more is taken in several parts
 */
public record BucketRate(long tokens, Duration per, long burst) {

    private static final int DEFAULT_BURSTS_PER_SECOND = 100;
    private static final double NANOS = 1e9;

    /**
     * @param tokens refilled evenly in each {@code per}, at least 1
     * @param per at least a nanosecond per token, and at most 292 years
     * @param burst what the bucket holds, at least 1
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public BucketRate {
        LimitWindow.of(tokens, per);
        if (burst < 1) {
            throw new IllegalArgumentException("A bucket holds at least 1 token, got " + burst);
        }
    }

    /**
     * A rate per second, of which a hundredth may pass at once.
     *
     * @param tokens at least 1
     * @return with a burst of at least 1
     * @throws IllegalArgumentException if there are no tokens, or more than one per nanosecond
     */
    public static BucketRate perSecond(long tokens) {
        return of(tokens, Duration.ofSeconds(1));
    }

    /**
     * A rate, of which a hundredth of a second's tokens may pass at once.
     *
     * @param tokens at least 1
     * @param per at least a nanosecond per token, and at most 292 years
     * @return with a burst of at least 1
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public static BucketRate of(long tokens, Duration per) {
        LimitWindow.of(tokens, per);
        long perSecond = (long) (tokens / (per.toNanos() / NANOS));
        return new BucketRate(tokens, per, Math.max(1, perSecond / DEFAULT_BURSTS_PER_SECOND));
    }

    /**
     * The same rate with another burst.
     *
     * @param burst at least 1
     * @return a changed copy
     * @throws IllegalArgumentException if it is less than 1
     */
    public BucketRate withBurst(long burst) {
        return new BucketRate(tokens, per, burst);
    }
}
