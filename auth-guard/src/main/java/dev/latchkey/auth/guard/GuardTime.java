package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * The time source of the guard: a clock that only moves forward, and wake-ups.
 *
 * <p>One instance serves every part, so that all waiting in a service (for a bucket, for a reservation, for a deadline of a permit) costs one thread
 * together. Safe for use by any number of threads.
 */
public interface GuardTime extends AutoCloseable {

    /** A wake-up that can be cancelled. */
    @FunctionalInterface
    interface WakeUp {

        /** Cancels it if it has not begun; otherwise does nothing. */
        void cancel();
    }

    /** Nanoseconds from an arbitrary origin, as {@link System#nanoTime()}. */
    long nanoTime();

    /**
     * Runs the action once, not earlier than after this delay; actions must be short, since they share a thread.
     *
     * @return never {@code null}; after {@link #close()} the action does not run
     */
    WakeUp after(Duration delay, Runnable action);

    /** Ends the thread; wake-ups that are due later never run. */
    @Override
    void close();

    /** The machine's time, with a daemon thread of its own for wake-ups. */
    static GuardTime start() {
        return new TimerThread();
    }
}
