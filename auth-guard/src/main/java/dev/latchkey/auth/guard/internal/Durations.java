package dev.latchkey.auth.guard.internal;

import java.time.Duration;

/** Checks and rounds durations. Stateless. */
public final class Durations {

    private static final Duration LONGEST_IN_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /**
     * Rejects a duration that is zero or negative.
     *
     * @param duration to check
     * @param name the name of the duration, as the message's first words
     * @throws IllegalArgumentException if the duration is zero or negative
     */
    public static void requirePositive(Duration duration, String name) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, got " + duration);
        }
    }

    /**
     * The duration in nanoseconds, limited to the range of waiting times.
     *
     * @param duration of any length
     * @return 0 for a negative duration, {@link Long#MAX_VALUE} for more than 292 years
     */
    public static long saturatedNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST_IN_NANOS) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * The duration in whole seconds, rounded up: a client that returns too early would be rejected again.
     *
     * @param duration of any length
     * @return 0 for a negative duration
     * @throws ArithmeticException if the rounded value exceeds a {@code long}
     */
    public static long secondsRoundedUp(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getNano() == 0 ? duration.getSeconds() : Math.addExact(duration.getSeconds(), 1);
    }

    /**
     * {@code a * b / c} without overflow of the product.
     *
     * @param a not negative
     * @param b not negative
     * @param c positive
     * @return rounded down. With the precision of a {@code double} if the product does not fit into 64 bits, and
     *     {@link Long#MAX_VALUE} if the result does not fit
     */
    public static long scaled(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        if (high == 0 && a * b >= 0) {
            return a * b / c;
        }
        // A double above the range becomes the largest long: JLS 5.1.3.
        return (long) ((double) a * b / c);
    }
}
