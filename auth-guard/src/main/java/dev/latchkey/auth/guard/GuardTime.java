package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * The time source of the guard: a clock that only moves forward, and wake-ups.
 *
 * <p>Share one instance between all parts. All waiting in a service (for a bucket, a reservation, a permit's deadline)
 * then needs only one thread. Safe for use by any number of threads.
 */
public interface GuardTime extends AutoCloseable {

    /** A scheduled action that can be cancelled. */
    @FunctionalInterface
    interface WakeUp {

        /** Cancels the action if the action has not started; otherwise does nothing. */
        void cancel();
    }

    /**
     * The current time. Only differences are meaningful, see {@link System#nanoTime()}.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();

    /**
     * Runs the action once, not earlier than after this delay. All actions share one thread, so each action must be
     * short.
     *
     * @param delay from now; zero or less means as soon as possible
     * @param action to run
     * @return cancels the action; never {@code null}. After {@link #close()} the action does not run
     */
    WakeUp after(Duration delay, Runnable action);

    /** Ends the thread. Actions that have not started never run. */
    @Override
    void close();

    /**
     * The machine's time, with a daemon thread for wake-ups. Exceptions and errors of an action are logged.
     *
     * @return a new time source; the caller closes it
     */
    static GuardTime start() {
        return new TimerThread();
    }
}
