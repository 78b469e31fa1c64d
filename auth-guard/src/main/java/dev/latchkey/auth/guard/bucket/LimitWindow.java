package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * A token bucket that holds {@code tokens} and refills evenly, from empty to full within {@code per}.
 *
 * @param tokens at least 1
 * @param per at least a nanosecond per token, Bucket4j's smallest unit, and at most 292 years, Bucket4j's limit
 */
public record LimitWindow(long tokens, Duration per) {

    /**
     * @param tokens at least 1
     * @param per at least a nanosecond per token, and at most 292 years
     * @throws IllegalArgumentException if there is no token, no time or too much, or less than a nanosecond for each
     *     token
     */
    public LimitWindow {
        if (tokens < 1) {
            throw new IllegalArgumentException("A limit needs at least 1 token, got " + tokens);
        }
        Durations.requirePositive(per, "A limit's window");
        if (Durations.saturatedNanos(per) == Long.MAX_VALUE) {
            throw new IllegalArgumentException("A limit's window is at most 292 years, got " + per);
        }
        if (tokens > Durations.saturatedNanos(per)) {
            throw new IllegalArgumentException(
                    "A limit can refill at most one token per nanosecond, got " + tokens + " in " + per);
        }
    }

    /**
     * Creates a window, in the order of speech: five in five minutes.
     *
     * @param tokens at least 1
     * @param per the time from empty to full
     * @return the window
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static LimitWindow of(long tokens, Duration per) {
        return new LimitWindow(tokens, per);
    }
}
