package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request with a throttled response. Asynchronous processing of the service completes only after the whole body is
 * sent.
 *
 * <p>From the start of asynchronous processing, the body belongs to the service's own thread. The thread of the request
 * may return at any time, before, during or after writes, and does not touch the body.
 */
final class ThrottledRequest extends HttpServletRequestWrapper {

    private final ThrottledResponse response;
    private final ThrottledBody body;

    @Nullable
    private AsyncContext async;

    ThrottledRequest(HttpServletRequest request, ThrottledResponse response) {
        super(request);
        this.response = response;
        this.body = response.body();
    }

    /** Uses the throttled response, in contrast to the container, so the rate also applies to asynchronous writes. */
    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        body.beforeAsync();
        AsyncContext container = super.startAsync(request, response);
        container.addListener(new OnAsyncEnd(body));
        async = new ThrottledAsync(container, body);
        return async;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext started = super.getAsyncContext();
        return async == null ? started : async;
    }

    /** The first listener. Prevents a late thread of the service from writing into the response of the next request. */
    private record OnAsyncEnd(ThrottledBody body) implements AsyncListener {

        /** Waits for nothing: Tomcat holds a lock here that a writing thread may need. */
        @Override
        public void onComplete(AsyncEvent event) {
            body.endAsync();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            body.cutOffWriter(event.getAsyncContext());
        }

        @Override
        public void onError(AsyncEvent event) {
            body.endFailed();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The next processing has a listener of its own.
        }
    }

    /** The asynchronous processing of a service behind a throttle. Its completion sends the rest of the body. */
    private record ThrottledAsync(AsyncContext container, ThrottledBody body) implements AsyncContext {

        @Override
        public void complete() {
            body.completeAsync(container);
        }

        @Override
        public void dispatch() {
            body.unlessCutOff(container::dispatch);
        }

        @Override
        public void dispatch(String path) {
            body.unlessCutOff(() -> container.dispatch(path));
        }

        @Override
        public void dispatch(ServletContext context, String path) {
            body.unlessCutOff(() -> container.dispatch(context, path));
        }

        @Override
        public ServletRequest getRequest() {
            return container.getRequest();
        }

        @Override
        public ServletResponse getResponse() {
            return container.getResponse();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return container.hasOriginalRequestAndResponse();
        }

        @Override
        public void start(Runnable run) {
            container.start(run);
        }

        @Override
        public void addListener(AsyncListener listener) {
            container.addListener(new Listener(listener));
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
            container.addListener(new Listener(listener), request, response);
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
            return container.createListener(type);
        }

        @Override
        public void setTimeout(long milliseconds) {
            container.setTimeout(milliseconds);
        }

        @Override
        public long getTimeout() {
            return container.getTimeout();
        }

        /**
         * Passes this context to a listener, not the container's context: many listeners complete the context after a
         * time-out.
         */
        final class Listener implements AsyncListener {

            private final AsyncListener service;

            Listener(AsyncListener service) {
                this.service = service;
            }

            @Override
            public void onComplete(AsyncEvent event) throws IOException {
                service.onComplete(throttled(event));
                body.sendRest();
            }

            @Override
            public void onTimeout(AsyncEvent event) throws IOException {
                service.onTimeout(throttled(event));
            }

            @Override
            public void onError(AsyncEvent event) throws IOException {
                service.onError(throttled(event));
            }

            @Override
            public void onStartAsync(AsyncEvent event) throws IOException {
                service.onStartAsync(event);
            }

            private AsyncEvent throttled(AsyncEvent event) {
                @Nullable Throwable failure = event.getThrowable();
                return new AsyncEvent(
                        ThrottledAsync.this, event.getSuppliedRequest(), event.getSuppliedResponse(), failure);
            }
        }
    }
}
