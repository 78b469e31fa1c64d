package dev.latchkey.auth.guard.internal;

import java.time.Duration;

/** Checks durations that come in, and rounds those that go out. Stateless. */
public final class Durations {

    private static final Duration LONGEST_IN_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /**
     * Refuses a duration that is zero or negative.
     *
     * @param duration to check
     * @param what the duration is, as the message's first words
     * @return the same duration
     * @throws IllegalArgumentException if the duration is zero or negative
     */
    public static Duration requirePositive(Duration duration, String what) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(what + " must be positive, got " + duration);
        }
        return duration;
    }

    /**
     * The duration in nanoseconds, brought into the range of what can be waited for.
     *
     * @param duration of any length
     * @return 0 for a negative one, {@link Long#MAX_VALUE} for one of more than 292 years
     */
    public static long saturatedNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST_IN_NANOS) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * The duration in whole seconds, rounded up: who comes back a moment early is refused again.
     *
     * @param duration of any length
     * @return 0 for a negative one
     * @throws ArithmeticException if rounding up exceeds what a {@code long} holds
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
     * @return rounded down; to the precision of a {@code double} where the product does not fit into 64 bits, and {@link Long#MAX_VALUE} where the
     *     result does not
     */
    public static long scaled(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        if (high == 0 && a * b >= 0) {
            return a * b / c;
        }
        // A double above what 64 bits hold becomes the largest of them: JLS 5.1.3.
        return (long) ((double) a * b / c);
    }
}
