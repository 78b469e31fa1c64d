package dev.latchkey.auth.redis;

import java.time.Duration;
import java.time.Instant;

/** For how long Redis is told to keep what ends at a time. */
final class TimeToLive {

    /** Redis adds it to its clock, in milliseconds, and takes no sum that is too large. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private TimeToLive() {}

    /** In milliseconds, with a minute for clocks that differ; one where it is over by then. */
    static String millis(Instant now, Instant end) {
        Instant latest = now.plus(LONGEST);
        Instant kept = end.isAfter(latest) ? latest : end.plus(RedisRevocationStore.KEPT_LONGER);
        return Long.toString(Math.max(1, Duration.between(now, kept).toMillis()));
    }
}
