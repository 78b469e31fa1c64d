package dev.latchkey.examples.nodes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what processes are about to do, on a machine that may have much other work. */
final class Patience {

    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Patience() {}

    /**
     * Returns when it holds.
     *
     * @throws AssertionError if it does not within three minutes
     */
    static void until(String what, BooleanSupplier holds) {
        long begun = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new AssertionError("It did not happen: " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
