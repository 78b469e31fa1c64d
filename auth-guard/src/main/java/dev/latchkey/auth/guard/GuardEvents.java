package dev.latchkey.auth.guard;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events to a listener and logs its exceptions: a broken listener must not break a login. Safe for use by any
 * number of threads, like the listener.
 *
 * @param listener of the service
 */
public record GuardEvents(GuardListener listener) {

    private static final Logger LOG = LoggerFactory.getLogger(GuardEvents.class);

    /**
     * Calls the listener on the calling thread. Never throws.
     *
     * @param event the new event
     */
    public void on(GuardEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.warn("Listener {} failed", listener.getClass().getName(), e);
        }
    }
}
