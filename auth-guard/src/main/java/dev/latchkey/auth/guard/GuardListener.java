package dev.latchkey.auth.guard;

/**
 * Receives the events of the guard, for metrics.
 *
 * <p>Runs on the thread of the event, so the listener must be fast and must not block. An exception is logged and has
 * no other effect. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface GuardListener {

    /** Ignores all events. */
    GuardListener NONE = event -> {};

    /**
     * Receives one event.
     *
     * @param event the new event
     */
    void on(GuardEvent event);
}
