package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Interrupts a waiting caller, as a container does at its stop. */
final class Interruption {

    private static final Duration A_MOMENT = Duration.ofMillis(50);

    private Interruption() {}

    /** The same call, with its thread interrupted after a moment. An outage must leave the thread's flag set. */
    static Callable<Object> during(String input, Callable<Object> call) {
        return () -> {
            Thread caller = Thread.currentThread();
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Thread other = new Thread(
                    () -> {
                        LockSupport.parkNanos(A_MOMENT.toNanos());
                        caller.interrupt();
                        isInterrupted.set(true);
                    },
                    "contract kit: interrupts");
            other.setDaemon(true);
            other.start();
            try {
                return call.call();
            } catch (AuthUnavailableException e) {
                // The plugin's own time limit may end before the interrupt.
                if (isInterrupted.get()) {
                    assertFlagIsSet(input);
                }
                throw e;
            } finally {
                // The other thread may be late, and must not interrupt the next call.
                Thread.interrupted();
                while (other.isAlive()) {
                    LockSupport.parkNanos(1_000_000);
                    Thread.interrupted();
                }
                Thread.interrupted();
            }
        };
    }

    static void assertFlagIsSet(String input) {
        assertTrue(
                Thread.currentThread().isInterrupted(),
                () -> "set the flag of the interrupted thread again, for " + input);
    }
}
