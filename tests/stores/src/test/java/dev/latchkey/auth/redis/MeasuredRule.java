package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.BucketRate;
import java.time.Duration;

/**
 * A rate of a comparison.
 *
 * @param name for the table
 * @param longestWait zero if requests over the rate are rejected
 * @param cost of each request
 */
record MeasuredRule(String name, BucketRate rate, Duration longestWait, int cost) {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int PIECE = 8_192;

    static MeasuredRule rejecting(long perSecond) {
        return new MeasuredRule("rejected", BucketRate.perSecond(perSecond), Duration.ZERO, 1);
    }

    static MeasuredRule waiting(long perSecond) {
        return new MeasuredRule("waiting", BucketRate.perSecond(perSecond), MINUTE, 1);
    }

    /** Bodies in pieces of 8 KiB. */
    static MeasuredRule bodies(long bytesPerSecond) {
        return new MeasuredRule("bodies", BucketRate.perSecond(bytesPerSecond), MINUTE, PIECE);
    }

    boolean waits() {
        return !longestWait.isZero();
    }

    /** The requests that the rate lets pass in a second. */
    double requestsPerSecond() {
        return (double) rate.tokens() / cost;
    }
}
