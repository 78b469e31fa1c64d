package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/** A clock for tests. A pause advances the clock and takes no time. */
public final class MovedTime implements InstantSource {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T10:00:00Z"));
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();

    @Override
    public Instant instant() {
        return now.get();
    }

    public void moveBy(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    Executor pause(Duration time) {
        return command -> {
            pauses.add(time);
            moveBy(time);
            command.run();
        };
    }

    List<Duration> pauses() {
        return pauses;
    }
}
