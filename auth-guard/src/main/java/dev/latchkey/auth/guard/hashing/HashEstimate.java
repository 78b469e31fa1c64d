package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * Estimates the time of a hash from the last measurements.
 *
 * <p>A longer hash changes the estimate more than a shorter hash. If the estimate is too low, callers wait in vain. If
 * the estimate is too high, some callers are rejected without need, which is less harmful. Not safe for use by several
 * threads: the queue's lock guards this object.
 */
final class HashEstimate {

    private static final int RISE = 4;
    private static final int FALL = 16;
    private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

    private long nanos;

    HashEstimate(Duration first) {
        this.nanos = Durations.saturatedNanos(first);
    }

    /** Updates the estimate with a measured hash. */
    void learn(long elapsedNanos) {
        long difference = elapsedNanos - nanos;
        nanos = Math.max(1, nanos + difference / (difference > 0 ? RISE : FALL));
    }

    Duration ofOne() {
        return Duration.ofNanos(nanos);
    }

    /**
     * The time in which this many threads compute this many hashes. At least one second, because earlier retries would
     * only add to the overload.
     */
    Duration retryAfter(int hashes, int threads) {
        Duration untilDone = Duration.ofNanos(Durations.scaled(nanos, hashes, threads));
        return untilDone.compareTo(SHORTEST_RETRY) > 0 ? untilDone : SHORTEST_RETRY;
    }

    /** The number of hashes that the threads can finish within this time. */
    long doneWithin(long availableNanos, int threads) {
        return Durations.scaled(availableNanos, threads, nanos);
    }
}
