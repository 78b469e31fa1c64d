package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.RequestSource;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.function.Supplier;

/**
 * Outermost: knows where a request comes from while its filters run, and holds the answer to a refused login when they are done.
 *
 * <p>The answer is written by then and lies in the server's buffer. Making the request asynchronous keeps it there with no
 * thread, and completing it sends it; nothing of the service runs a second time. Where the request cannot be asynchronous, or too
 * many are held, the answer is sent at once.
 */
final class HeldRefusalFilter implements Filter {

    private final HeldRefusals refusals;
    private final TrustedProxies proxies;

    HeldRefusalFilter(HeldRefusals refusals, TrustedProxies proxies) {
        this.refusals = refusals;
        this.proxies = proxies;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)) {
            chain.doFilter(request, response);
            return;
        }
        Supplier<ClientSource> outer = RequestSource.bind(() -> sourceOf(httpRequest));
        try {
            chain.doFilter(request, response);
        } finally {
            RequestSource.bind(outer);
        }
        if (ServletRefusals.isMarked(request) && mayBeHeld(request, response)) {
            hold(request, response);
        }
    }

    private ClientSource sourceOf(HttpServletRequest request) {
        return proxies.sourceOf(request.getRemoteAddr(), name -> Collections.list(request.getHeaders(name)));
    }

    private static boolean mayBeHeld(ServletRequest request, ServletResponse response) {
        return request.isAsyncSupported() && !request.isAsyncStarted() && !response.isCommitted();
    }

    /** The container's time-out would answer with an error, so there is none: what is held ends by the timer, or when the guard closes. */
    private void hold(ServletRequest request, ServletResponse response) {
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        if (!refusals.hold(async::complete)) {
            async.complete();
        }
    }
}
