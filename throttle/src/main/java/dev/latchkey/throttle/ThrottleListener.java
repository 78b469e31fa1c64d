package dev.latchkey.throttle;

/**
 * Receives the events of throttles.
 *
 * <p>Called on the thread that the event happens on, so a listener must be quick and must not block. An exception of a listener is logged and changes
 * nothing. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface ThrottleListener {

    /** Ignores all events. */
    ThrottleListener NONE = event -> {};

    /**
     * Receives one event.
     *
     * @param event that has just happened
     */
    void on(ThrottleEvent event);
}
