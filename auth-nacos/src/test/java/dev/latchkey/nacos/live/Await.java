package dev.latchkey.nacos.live;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for what a server or the client's library does by itself some time later. Nobody tells another process of it, so it is asked
 * over and over, for far longer than it takes: only what never comes fails, however busy the machine is.
 */
public final class Await {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private Await() {}

    /**
     * Waits until this holds.
     *
     * @param what is waited for, for the failure's text
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
