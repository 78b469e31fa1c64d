package dev.latchkey.auth.spring.shared;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The delay before a requested reading. After a quiet time the delay is zero, so that one logout is visible at once.
 * Otherwise there is a minimum time between readings, so that one reading serves many logouts. Thread-safe.
 */
final class ReadingPace {

    static final Duration APART = Duration.ofMillis(20);

    private final LongSupplier nanos;

    /** From this time on, a reading may begin at once. */
    private volatile long quietAt;

    ReadingPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.quietAt = nanos.getAsLong();
    }

    /** The delay of the next reading. */
    long waitNanos() {
        return Math.max(0, quietAt - nanos.getAsLong());
    }

    /**
     * Marks the start of a reading. A request during the reading waits for the next reading, because the running
     * reading may miss the request's revocation.
     */
    void begins() {
        quietAt = nanos.getAsLong() + APART.toNanos();
    }
}
