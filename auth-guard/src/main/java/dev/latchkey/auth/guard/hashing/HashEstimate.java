package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * How long a hash takes, as far as those measured last tell, and what follows from it.
 *
 * <p>A longer hash moves it more than a shorter one does: too low an estimate lets callers wait in vain, too high a one refuses
 * some that could have been served. Not safe for use by several threads: it belongs to the queue's lock.
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

    /** When so many hashes are done on so many threads; at least a second, or who is refused would only add to the flood. */
    Duration retryAfter(int hashes, int threads) {
        Duration untilDone = Duration.ofNanos(Durations.scaled(nanos, hashes, threads));
        return untilDone.compareTo(SHORTEST_RETRY) > 0 ? untilDone : SHORTEST_RETRY;
    }

    /** How many hashes so many threads can finish within this time. */
    long doneWithin(long availableNanos, int threads) {
        return Durations.scaled(availableNanos, threads, nanos);
    }
}
