package dev.latchkey.plugins.passkeys;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Stands still until it is moved. */
public final class SetClock implements InstantSource {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T12:00:10Z"));

    @Override
    public Instant instant() {
        return now.get();
    }

    public void move(Duration by) {
        now.updateAndGet(before -> before.plus(by));
    }
}
