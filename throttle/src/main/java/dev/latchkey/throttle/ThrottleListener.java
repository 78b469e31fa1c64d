package dev.latchkey.throttle;

/**
 * Receives the events of throttles.
 *
 * <p>Runs on the thread of the event, so a listener must be fast and must not block. An exception of a listener is
 * logged and has no other effect. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface ThrottleListener {

    /** Ignores all events. */
    ThrottleListener NONE = event -> {};

    /**
     * Receives one event.
     *
     * @param event the new event
     */
    void on(ThrottleEvent event);
}
