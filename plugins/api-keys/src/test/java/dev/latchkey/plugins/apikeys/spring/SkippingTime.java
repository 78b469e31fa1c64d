package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's time, and all that was skipped. */
final class SkippingTime implements GuardTime {

    private final GuardTime machine = GuardTime.start();
    private final AtomicLong skipped = new AtomicLong();

    void skip(Duration time) {
        skipped.addAndGet(time.toNanos());
    }

    @Override
    public long nanoTime() {
        return machine.nanoTime() + skipped.get();
    }

    @Override
    public WakeUp after(Duration delay, Runnable action) {
        return machine.after(delay, action);
    }

    @Override
    public void close() {
        machine.close();
    }
}
