package dev.latchkey.nacos.live;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a later event in another process. No process reports the event, so this class polls far longer than needed: only a
 * missing event fails, even on a busy machine.
 */
public final class Await {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private Await() {}

    /**
     * Waits until the condition holds.
     *
     * @param what the awaited event, for the failure's text
     */
    public static void until(String what, BooleanSupplier condition) {
        Instant end = Instant.now().plus(LIMIT);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("Not within " + LIMIT + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }
}
