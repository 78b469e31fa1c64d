package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * Estimates how long a hash takes from those measured last, and what follows from that.
 *
 * <p>A longer hash moves the estimate more than a shorter one does. Too low an estimate lets callers wait in vain; too high a one refuses some that
 * could have been served, which is the lesser harm. Not safe for use by several threads: the queue's lock guards it.
 */
final class HashEstimate {

    private static final int RISE = 4;
    private static final int FALL = 16;
    private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

    private long nanos;

    HashEstimate(Duration first) {
        this.nanos = Durations.saturatedNanos(first);
    }

    /** Takes another measured hash into account. */
    void learn(long elapsedNanos) {
        long difference = elapsedNanos - nanos;
        nanos = Math.max(1, nanos + difference / (difference > 0 ? RISE : FALL));
    }

    Duration ofOne() {
        return Duration.ofNanos(nanos);
    }

    /** When this many threads will have computed this many hashes. At least a second, or those who are refused would only add to the flood. */
    Duration retryAfter(int hashes, int threads) {
        Duration untilDone = Duration.ofNanos(Durations.scaled(nanos, hashes, threads));
        return untilDone.compareTo(SHORTEST_RETRY) > 0 ? untilDone : SHORTEST_RETRY;
    }

    /** How many hashes so many threads can finish within this time. */
    long doneWithin(long availableNanos, int threads) {
        return Durations.scaled(availableNanos, threads, nanos);
    }
}
