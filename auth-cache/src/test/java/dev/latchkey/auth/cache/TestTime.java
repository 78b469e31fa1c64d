package dev.latchkey.auth.cache;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Time that passes only at the test's command, on both of the cache's clocks; a pause passes the time. */
final class TestTime implements LongSupplier, LongConsumer, InstantSource {

    static final Instant START = Instant.parse("2026-11-21T08:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    final AtomicLong paused = new AtomicLong();

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    @Override
    public void accept(long pause) {
        paused.addAndGet(pause);
        nanos.addAndGet(pause);
    }

    @Override
    public Instant instant() {
        return START.plusNanos(nanos.get());
    }

    CredentialCache cache(CredentialCacheSettings settings) {
        return CredentialCache.with(settings, this, this);
    }

    /** The default settings, with entries for the whole hour. */
    CredentialCache cache() {
        return cache(CredentialCacheSettings.defaults().withJitter(0));
    }
}
