package dev.latchkey.auth.guard;

/**
 * Receives the events of the guard; for metrics.
 *
 * <p>Called on the thread that the event happens on, so it must be quick and must not block. What it throws is logged and changes nothing. Safe for use
 * by any number of threads.
 */
@FunctionalInterface
public interface GuardListener {

    /** Ignores all events. */
    GuardListener NONE = event -> {};

    /**
     * Receives one event.
     *
     * @param event that has just happened
     */
    void on(GuardEvent event);
}
