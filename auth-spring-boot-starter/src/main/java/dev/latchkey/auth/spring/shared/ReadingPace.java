package dev.latchkey.auth.spring.shared;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How soon a reading begins that somebody asks for. After a quiet time it begins at once, so that one logout is seen without delay; else some time
 * after the last reading, so that many logouts are read together. Safe for use by any number of threads.
 */
final class ReadingPace {

    static final Duration APART = Duration.ofMillis(20);

    private final LongSupplier nanos;

    /** After that a reading may begin at once. */
    private volatile long quietAt;

    ReadingPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.quietAt = nanos.getAsLong();
    }

    /** For how long the next reading has to wait. */
    long waitNanos() {
        return Math.max(0, quietAt - nanos.getAsLong());
    }

    /** A reading begins. What is asked for while it is under way waits too, since it may come too late for it. */
    void begins() {
        quietAt = nanos.getAsLong() + APART.toNanos();
    }
}
