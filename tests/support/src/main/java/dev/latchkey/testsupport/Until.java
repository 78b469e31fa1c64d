package dev.latchkey.testsupport;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for the work of another thread, and fails without it. */
public final class Until {

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private Until() {}

    /**
     * Returns when the condition is true.
     *
     * @throws AssertionError if the condition is false for a minute
     */
    public static void until(BooleanSupplier holds) {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST) {
                fail("It did not happen");
            }
            // A starting server needs the processor more.
            LockSupport.parkNanos(PAUSE);
        }
    }
}
