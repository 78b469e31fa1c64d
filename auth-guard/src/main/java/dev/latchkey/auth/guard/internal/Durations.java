package dev.latchkey.auth.guard.internal;

import java.time.Duration;

/** Durations at the border: checked when they come in, and whole seconds when they go out. */
public final class Durations {

    private static final Duration LONGEST_IN_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /**
     * The same duration, which must be some time.
     *
     * @throws IllegalArgumentException if the duration is zero or negative
     */
    public static Duration requirePositive(Duration duration, String what) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(what + " must be positive, got " + duration);
        }
        return duration;
    }

    /** The nanoseconds, or the nearest end of what 64 bits hold. */
    public static long saturatedNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST_IN_NANOS) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** Whole seconds, rounded up: who comes back a moment early is refused again. */
    public static long secondsRoundedUp(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getNano() == 0 ? duration.getSeconds() : Math.addExact(duration.getSeconds(), 1);
    }

    /** {@code a * b / c} without overflow of the product; {@link Long#MAX_VALUE} where the result does not fit. */
    public static long scaled(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        if (high == 0 && a * b >= 0) {
            return a * b / c;
        }
        // A double above what 64 bits hold becomes the largest of them: JLS 5.1.3.
        return (long) ((double) a * b / c);
    }
}
