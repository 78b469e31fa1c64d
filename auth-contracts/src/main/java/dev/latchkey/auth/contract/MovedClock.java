package dev.latchkey.auth.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Safe for use by any number of threads. */
public final class MovedClock implements InstantSource {

    private volatile Instant now;

    public MovedClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void moveTo(Instant time) {
        now = time;
    }

    /** A clock that is always ahead of this one by so much, or behind it. */
    public InstantSource differingBy(Duration difference) {
        return () -> now.plus(difference);
    }
}
