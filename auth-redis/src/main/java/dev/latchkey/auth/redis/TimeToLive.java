package dev.latchkey.auth.redis;

import java.time.Duration;
import java.time.Instant;

/** The time to live of a Redis key for a given end. */
final class TimeToLive {

    /** Redis adds the time to its clock in milliseconds, and rejects a sum that is too large. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private TimeToLive() {}

    /** In milliseconds, with a minute for different clocks; one if the time is over. */
    static String millis(Instant now, Instant end) {
        Instant latest = now.plus(LONGEST);
        Instant kept = end.isAfter(latest) ? latest : end.plus(RedisRevocationStore.KEPT_LONGER);
        return Long.toString(Math.max(1, Duration.between(now, kept).toMillis()));
    }
}
