package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * So many in so long: a token bucket that holds {@code tokens} and fills evenly, all of them in {@code per}.
 *
 * @param tokens at least 1
 * @param per at least a token per nanosecond, Bucket4j's finest
 */
public record LimitWindow(long tokens, Duration per) {

    /** @throws IllegalArgumentException if there is no token, no time, or less than a nanosecond for each token */
    public LimitWindow {
        if (tokens < 1) {
            throw new IllegalArgumentException("A limit needs at least 1 token, got " + tokens);
        }
        Durations.requirePositive(per, "A limit's window");
        if (tokens > Durations.saturatedNanos(per)) {
            throw new IllegalArgumentException(
                    "A limit can refill at most one token per nanosecond, got " + tokens + " in " + per);
        }
    }

    public static LimitWindow of(long tokens, Duration per) {
        return new LimitWindow(tokens, per);
    }
}
