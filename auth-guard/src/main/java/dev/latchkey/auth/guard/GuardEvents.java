package dev.latchkey.auth.guard;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener that cannot do harm. */
public record GuardEvents(GuardListener listener) {

    private static final Logger LOG = LoggerFactory.getLogger(GuardEvents.class);

    public void on(GuardEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.warn("Listener {} failed", listener.getClass().getName(), e);
        }
    }
}
