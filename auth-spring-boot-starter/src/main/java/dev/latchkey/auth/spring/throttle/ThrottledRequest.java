package dev.latchkey.auth.spring.throttle;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A request whose response is throttled: what the service starts asynchronously completes only with its whole body sent.
 *
 * <p>From then on the body is the service's own thread's. The one that brought the request may return at any time, before,
 * during or after what is written, and leaves the body alone.
 */
final class ThrottledRequest extends HttpServletRequestWrapper {

    private final ThrottledResponse response;

    @Nullable
    private AsyncContext async;

    ThrottledRequest(HttpServletRequest request, ThrottledResponse response) {
        super(request);
        this.response = response;
    }

    /** With the throttled response, other than the container would: its rate is for what is written asynchronously too. */
    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        this.response.beforeAsync();
        async = new ThrottledAsync(super.startAsync(request, response), this.response);
        return async;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext started = super.getAsyncContext();
        return async == null ? started : async;
    }
}
