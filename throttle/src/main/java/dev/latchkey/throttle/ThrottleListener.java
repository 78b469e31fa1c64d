package dev.latchkey.throttle;

import java.util.List;

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

    /**
     * Combines listeners.
     *
     * @param listeners called in this order; an exception of a listener is logged
     * @return a listener that calls all of them
     */
    static ThrottleListener all(List<ThrottleListener> listeners) {
        List<ThrottleEvents> all = listeners.stream().map(ThrottleEvents::new).toList();
        return event -> all.forEach(each -> each.on(event));
    }
}
