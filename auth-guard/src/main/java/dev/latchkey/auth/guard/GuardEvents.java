package dev.latchkey.auth.guard;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells events to a listener, and logs what it throws: a broken listener must not break a login. Safe for use by any number of threads, as listeners
 * are.
 *
 * @param listener of the service
 */
public record GuardEvents(GuardListener listener) {

    private static final Logger LOG = LoggerFactory.getLogger(GuardEvents.class);

    /**
     * Tells the listener, on the calling thread. Throws nothing.
     *
     * @param event that has just happened
     */
    public void on(GuardEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.warn("Listener {} failed", listener.getClass().getName(), e);
        }
    }
}
