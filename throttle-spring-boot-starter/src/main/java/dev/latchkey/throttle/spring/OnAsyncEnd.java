package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Runs an action at any end of a request's asynchronous processing, possibly more than once. */
record OnAsyncEnd(Runnable action) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
        action.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        action.run();
    }

    @Override
    public void onError(AsyncEvent event) {
        action.run();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The service starts again within a dispatch, so processing has not ended.
    }
}
