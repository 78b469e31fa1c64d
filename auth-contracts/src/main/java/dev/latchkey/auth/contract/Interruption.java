package dev.latchkey.auth.contract;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Interrupts a waiting caller, as a container does at its stop. */
final class Interruption {

    private static final Duration A_MOMENT = Duration.ofMillis(50);

    private Interruption() {}

    /** The same call, with its thread interrupted after a moment. */
    static Callable<Object> during(Callable<Object> call) {
        return () -> {
            Thread caller = Thread.currentThread();
            Thread other = new Thread(
                    () -> {
                        LockSupport.parkNanos(A_MOMENT.toNanos());
                        caller.interrupt();
                    },
                    "contract kit: interrupts");
            other.setDaemon(true);
            other.start();
            try {
                return call.call();
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
}
