package dev.latchkey.auth.spring.limits;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * An asynchronous request that another thread completes. The container may end the request earlier, for example if an HTTP/2
 * client cancels the request. Tomcat then uses the same {@link AsyncContext} for another request, and a late completion would end
 * the other request. So {@link #complete} does nothing after the end of the request.
 *
 * <p>Safe for use by any number of threads.
 */
final class HeldRequest implements AsyncListener {

    private final AsyncContext async;
    private volatile boolean isOver;

    private HeldRequest(AsyncContext async) {
        this.async = async;
    }

    /** Without a time-out, because the container's time-out would answer with an error. */
    static HeldRequest start(ServletRequest request, ServletResponse response) {
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        HeldRequest held = new HeldRequest(async);
        async.addListener(held);
        return held;
    }

    /** Sends the answer in the response, unless the request is over. */
    void complete() {
        if (!isOver) {
            async.complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        isOver = true;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        isOver = true;
    }

    /** Completes the request: otherwise Tomcat's own handling of the error may end another request. */
    @Override
    public void onError(AsyncEvent event) {
        isOver = true;
        async.complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // A completed request is not started again.
    }
}
