package dev.latchkey.examples.nodes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for events in other processes, on a possibly busy machine. */
final class Patience {

    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Patience() {}

    /**
     * Returns once the condition holds.
     *
     * @throws AssertionError after three minutes without the condition
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
