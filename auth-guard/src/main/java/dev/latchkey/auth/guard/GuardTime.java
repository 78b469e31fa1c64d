package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * The time source of the guard: a clock that only moves forward, and wake-ups.
 *
 * <p>One instance serves every part, so that all waiting in a service (for a bucket, for a reservation, for a deadline of a permit) costs one thread
 * together. Safe for use by any number of threads.
 */
public interface GuardTime extends AutoCloseable {

    /** An action that is to run later, and can be called off. */
    @FunctionalInterface
    interface WakeUp {

        /** Calls the action off if it has not begun; otherwise does nothing. */
        void cancel();
    }

    /**
     * The time now. Only differences between two values mean anything, see {@link System#nanoTime()}.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();

    /**
     * Runs the action once, not earlier than after this delay. All actions share one thread, so each must be short.
     *
     * @param delay from now; zero or less means as soon as possible
     * @param action to run
     * @return to call the action off; never {@code null}, also after {@link #close()}, when the action does not run
     */
    WakeUp after(Duration delay, Runnable action);

    /** Ends the thread. Wake-ups that are due later never run. */
    @Override
    void close();

    /**
     * The machine's time, with a daemon thread of its own for wake-ups. What an action throws is logged.
     *
     * @return to be closed by whoever started it
     */
    static GuardTime start() {
        return new TimerThread();
    }
}
