package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an action at any end of a request's asynchronous processing, possibly more than once. */
record OnAsyncEnd(Runnable action) implements AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(OnAsyncEnd.class);

    @Override
    public void onComplete(AsyncEvent event) {
        action.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        action.run();
    }

    /** If no listener completes the request, Tomcat's own handling of the error may end another request. */
    @Override
    public void onError(AsyncEvent event) {
        action.run();
        try {
            event.getAsyncContext().complete();
        } catch (IllegalStateException e) {
            LOG.debug("The request was completed before", e);
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The service starts again within a dispatch, so processing has not ended.
    }
}
