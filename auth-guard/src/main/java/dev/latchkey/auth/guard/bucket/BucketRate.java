package dev.latchkey.auth.guard.bucket;

import java.time.Duration;

/**
 * The rate of a throttle, and its burst.
 *
 * <p>In any second at most {@code burst} plus a second's refill passes. A global rate that must hold to 2% in every second therefore needs a burst below
 * a fiftieth of it; one too small to bridge the gap between two wake-ups (a millisecond or so) loses throughput. {@link #perSecond} takes a hundredth.
 *
 * @param tokens refilled evenly in each {@code per}; requests or bytes, whatever the cost counts
 * @param per at least a nanosecond per token
 * @param burst what the bucket holds, at least 1; what costs more is taken in several parts
 */
public record BucketRate(long tokens, Duration per, long burst) {

    private static final int DEFAULT_BURSTS_PER_SECOND = 100;

    /** @throws IllegalArgumentException if there is nothing to refill, to refill it in or to put it in */
    public BucketRate {
        LimitWindow.of(tokens, per);
        if (burst < 1) {
            throw new IllegalArgumentException("A bucket holds at least 1 token, got " + burst);
        }
    }

    /** So many per second, and a hundredth of it at once. */
    public static BucketRate perSecond(long tokens) {
        return new BucketRate(tokens, Duration.ofSeconds(1), Math.max(1, tokens / DEFAULT_BURSTS_PER_SECOND));
    }

    public BucketRate withBurst(long burst) {
        return new BucketRate(tokens, per, burst);
    }
}
