package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for another thread, and fails if the condition never holds. */
public final class Until {

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private Until() {}

    public static void until(BooleanSupplier holds) {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST) {
                fail("It did not happen");
            }
            // AccountKeys is waited for needs the processor more.
            LockSupport.parkNanos(PAUSE);
        }
    }
}
