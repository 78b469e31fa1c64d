package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Runs an action when the asynchronous processing of a request ends, in any way; it may run more than once. */
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
        // The service starts again within a dispatch: nothing has ended.
    }
}
