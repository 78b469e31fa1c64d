package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * The outermost filter: binds the request's client IP during the other filters. Afterwards, holds the answer to a rate-limited
 * login and to an overload. The answer to an outage is not held.
 *
 * <p>At this point the answer is in the server's buffer. An asynchronous request keeps the answer there without a thread, and its
 * completion sends the answer; no part of the service runs twice. The filter does not hold an answer if the answer was sent, or
 * too many answers are held. The same holds if the request cannot be asynchronous, or is asynchronous already.
 */
record HeldRefusalFilter(HeldRefusals refusals, TrustedProxies proxies) implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)) {
            chain.doFilter(request, response);
            return;
        }
        CurrentLogin outer = CurrentRequest.from(() -> sourceOf(httpRequest), CurrentLogin.here())
                .bind();
        try {
            chain.doFilter(request, response);
        } finally {
            outer.bind();
        }
        if (ServletRefusals.isMarked(request) && mayBeHeld(request, response)) {
            hold(request, response);
        }
    }

    /**
     * From the container's own request: Spring's {@code ForwardedHeaderFilter} replaces the address by the text of a header, and
     * any client can send this header.
     */
    private ClientSource sourceOf(HttpServletRequest wrapped) {
        HttpServletRequest request = ServletHeaders.received(wrapped);
        return proxies.sourceOf(request.getRemoteAddr(), name -> ServletHeaders.fieldsOf(request, name));
    }

    private static boolean mayBeHeld(ServletRequest request, ServletResponse response) {
        return request.isAsyncSupported() && !request.isAsyncStarted() && !response.isCommitted();
    }

    /** The timer or {@link HeldRefusals#close} completes the request. If too many answers are held, this method does. */
    private void hold(ServletRequest request, ServletResponse response) {
        HeldRequest held = HeldRequest.start(request, response);
        if (!refusals.hold(held::complete)) {
            held.complete();
        }
    }
}
