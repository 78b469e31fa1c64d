package dev.latchkey.auth.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a call moves the clock. Safe for use by any number of threads. */
public final class MovedClock implements InstantSource {

    private volatile Instant now;

    /**
     * A clock with this time.
     *
     * @param now the time until the first move
     */
    public MovedClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Moves the clock, forward or back.
     *
     * @param time the new time
     */
    public void moveTo(Instant time) {
        now = time;
    }

    /**
     * A clock with a fixed difference to this clock.
     *
     * @param difference negative for a clock behind this clock
     * @return a clock that moves with this clock
     */
    public InstantSource differingBy(Duration difference) {
        return () -> now.plus(difference);
    }
}
