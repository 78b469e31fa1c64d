package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for another thread, and fails if the condition never holds. */
final class Until {

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private Until() {}

    static void until(BooleanSupplier holds) {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST) {
                fail("It did not happen");
            }
            // The other thread needs the processor more.
            LockSupport.parkNanos(PAUSE);
        }
    }
}
