package dev.latchkey.auth.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Safe for use by any number of threads. */
public final class MovedClock implements InstantSource {

    private volatile Instant now;

    /**
     * A clock that shows this time.
     *
     * @param now until the clock is moved
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
     * @param time which the clock shows from now on
     */
    public void moveTo(Instant time) {
        now = time;
    }

    /**
     * A clock that is always ahead of this one by so much, or behind it.
     *
     * @param difference negative for a clock that is behind
     * @return a clock that moves with this one
     */
    public InstantSource differingBy(Duration difference) {
        return () -> now.plus(difference);
    }
}
