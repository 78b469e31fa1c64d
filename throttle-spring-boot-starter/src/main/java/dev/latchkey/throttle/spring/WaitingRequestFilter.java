package dev.latchkey.throttle.spring;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets a request wait for its throttles, without a thread: asynchronous servlet processing, resumed by a dispatch.
 *
 * <p>This filter is the last filter. Most filters of a service run for the dispatcher type {@code REQUEST} alone, so the dispatch
 * skips them. Behind this filter are no filters that the dispatch could skip.
 */
final class WaitingRequestFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(WaitingRequestFilter.class);
    private static final String THROTTLE = WaitingRequestFilter.class.getName() + ".throttle";
    private static final String WAITED = WaitingRequestFilter.class.getName() + ".waited";

    /** @param request as the filters pass it on: some of them do not run again in the dispatch */
    private record Waited(RequestThrottle throttle, HttpServletRequest request) {}

    /** Lets the request wait in this filter, if the filters between let the request pass. */
    static void require(HttpServletRequest request, RequestThrottle throttle) {
        request.setAttribute(THROTTLE, throttle);
    }

    /** Gives the place in the queue back if a filter between has answered the request. Returns whether there is such an answer. */
    static boolean giveUp(HttpServletRequest request) {
        if (request.isAsyncStarted()) {
            // The request waits here, or a filter between dispatches the request later.
            return false;
        }
        RequestThrottle throttle = taken(request, THROTTLE, RequestThrottle.class);
        return throttle != null && throttle.result().cancel(false);
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestThrottle throttle = taken(request, THROTTLE, RequestThrottle.class);
        if (throttle != null && mustWait(throttle, request)) {
            waitFor(throttle, request, response);
            return;
        }
        Waited waited = taken(request, WAITED, Waited.class);
        if (throttle != null) {
            goOn(throttle, request, response, chain);
        } else if (waited != null) {
            goOn(waited.throttle, waited.request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static <T> @Nullable T taken(HttpServletRequest request, String name, Class<T> type) {
        Object value = request.getAttribute(name);
        request.removeAttribute(name);
        return type.isInstance(value) ? type.cast(value) : null;
    }

    /** Not within a forward, because the dispatch leads to the path of the client's request. */
    private static boolean mustWait(RequestThrottle throttle, HttpServletRequest request) {
        boolean isForClient = request.getDispatcherType() == DispatcherType.REQUEST
                || request.getDispatcherType() == DispatcherType.ASYNC;
        return !throttle.result().isDone() && isForClient && request.isAsyncSupported() && !request.isAsyncStarted();
    }

    /** Jetty doubles the query's parameters in the dispatch of a wrapped request, so the container's own request is dispatched. */
    @SuppressWarnings("FutureReturnValueIgnored") // resume() handles its failures
    private static void waitFor(RequestThrottle throttle, HttpServletRequest request, HttpServletResponse response) {
        request.setAttribute(WAITED, new Waited(throttle, request));
        AsyncContext async = request.startAsync(received(request), response);
        // The throttle itself ends every wait. The server's time-out would answer 500 earlier.
        async.setTimeout(0);
        async.addListener(new OnAsyncEnd(() -> throttle.result().cancel(false)));
        throttle.result().whenComplete((result, cancelled) -> {
            if (cancelled == null) {
                resume(async);
            }
        });
    }

    private static void resume(AsyncContext async) {
        try {
            async.dispatch();
        } catch (IllegalStateException e) {
            LOG.debug("The request ended while it waited for its turn", e);
        }
    }

    /** Blocks the thread only if the request cannot wait without a thread. */
    static void goOn(
            RequestThrottle throttle, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<ThrottleRefusal> refusal = throttle.await();
        if (refusal.isPresent()) {
            refusal.get().writeTo(ThrottledResponse.unwrap(response));
        } else {
            throttle.fields().forEach(fields -> fields.addTo(response::addHeader));
            chain.doFilter(request, response);
        }
    }

    /** The container's own request. */
    static HttpServletRequest received(HttpServletRequest wrapped) {
        ServletRequest inner = wrapped;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest received ? received : wrapped;
    }
}
