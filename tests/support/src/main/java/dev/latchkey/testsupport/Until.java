package dev.latchkey.testsupport;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread is about to do, and fails where it does not. */
public final class Until {

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private Until() {}

    /**
     * Returns when it holds.
     *
     * @throws AssertionError if it does not hold within a minute */
    public static void until(BooleanSupplier holds) {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST) {
                fail("It did not happen");
            }
            // A server that starts needs the processor more.
            LockSupport.parkNanos(PAUSE);
        }
    }
}
