package dev.latchkey.plugins.apikeys;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The clock for the age of readings; only the test moves the clock. */
final class Nanos implements LongSupplier {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);

    @Override
    public long getAsLong() {
        return now.get();
    }

    void move(Duration by) {
        now.addAndGet(by.toNanos());
    }
}
