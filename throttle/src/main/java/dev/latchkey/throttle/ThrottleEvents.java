package dev.latchkey.throttle;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells events to a listener and logs the listener's exceptions: a broken listener must not break a request. */
record ThrottleEvents(ThrottleListener listener) {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleEvents.class);

    void on(ThrottleEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.warn("Listener {} failed", listener.getClass().getName(), e);
        }
    }
}
