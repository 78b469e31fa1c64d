package dev.latchkey.auth.spring;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.header.HeaderWriterFilter;

/**
 * A login filter that gives its thread back while a hash is computed.
 *
 * <p>The filter runs as it would without this one: on the request's thread, with the service's user store, events and handlers.
 * Only where it comes to a hash the pass ends ({@link HashingNeeded}), the request becomes asynchronous, and its thread is
 * free. With the answer the container dispatches it again, the filter is run from its beginning, and finds the answer
 * where it needed the hash. So the user store is asked twice for a login that costs a hash, and no other code of the service runs
 * off its thread or twice.
 *
 * <p>To what stands before the filter, the first pass is a request that was made asynchronous, and the second its dispatch,
 * as for every asynchronous controller. What stands behind has not seen the first, so it is shown the second as a plain request.
 */
final class GuardedFilter implements Filter {

    private final Filter filter;
    private final @Nullable HeaderWriterFilter headers;
    private final AsyncReadiness readiness;

    /** @param headers of the same chain, if it has one: writes its fields when a request goes back, which the first pass does too early */
    GuardedFilter(Filter filter, @Nullable HeaderWriterFilter headers, AsyncReadiness readiness) {
        this.filter = filter;
        this.headers = headers;
        this.readiness = readiness;
    }

    Filter filter() {
        return filter;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        GuardedRequest guarded = GuardedRequest.current();
        if (guarded == null
                || !(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            filter.doFilter(request, response, chain);
            return;
        }
        AsyncPause pause = guarded.resume(this);
        if (pause != null) {
            passAgain(guarded, pause, httpRequest, httpResponse, chain);
        } else if (AsyncBody.isIn(httpRequest)) {
            pass(guarded, AsyncBody.first(httpRequest), httpResponse, chain);
        } else {
            pass(guarded, httpRequest, httpResponse, chain);
        }
    }

    private void passAgain(
            GuardedRequest guarded,
            AsyncPause pause,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        pause.restore(response);
        AsyncBody again = AsyncBody.again(request, pause.body());
        Runnable end = readiness.lookups().showing(again);
        try {
            if (headers == null) {
                pass(guarded, again, response, chain);
            } else {
                headers.doFilter(again, response, (rq, rs) -> pass(guarded, again, (HttpServletResponse) rs, chain));
            }
        } finally {
            end.run();
            again.end();
        }
    }

    private void pass(
            GuardedRequest guarded, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        AsyncBody body = request instanceof AsyncBody kept ? kept : null;
        guarded.enter(() -> (body == null || body.isKept()) && readiness.isReady(request, this));
        try {
            filter.doFilter(request, response, (rq, rs) -> {
                guarded.leave();
                if (body != null) {
                    body.stopKeeping();
                }
                chain.doFilter(rq, rs);
            });
        } catch (HashingNeeded needed) {
            AsyncPause pause = new AsyncPause(this, response, body == null ? new byte[0] : body.read());
            CompletableFuture<?> answer =
                    AsyncRound.start(request, response, readiness.timeout(), needed::begin, guarded::close);
            guarded.pause(pause, needed.key(), answer);
        } finally {
            guarded.leave();
        }
    }

    @Override
    public String toString() {
        return "Guarded " + filter;
    }
}
