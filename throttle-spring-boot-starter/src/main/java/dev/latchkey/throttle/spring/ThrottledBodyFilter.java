package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.WebUtils;

/**
 * Sends bodies in pieces, see {@link ThrottledOutput}, after {@link ThrottleFilter} has named their throttles and their
 * caller.
 *
 * <p>This filter is the first filter of the chain. The pieces are sent after all later filters have returned. Filters
 * that keep or compress a body have then written the whole body.
 */
final class ThrottledBodyFilter implements Filter {

    private static final String BODY = ThrottledBodyFilter.class.getName() + ".body";

    private final GuardTime time;
    private final PendingPieces.Memory memory = PendingPieces.Memory.ofThisProcess();

    ThrottledBodyFilter(GuardTime time) {
        this.time = time;
    }

    /** Throttles the body of the response, if a rule counts bytes. Only the first call for a response has an effect. */
    static void limit(
            HttpServletRequest request, List<ThrottleRule> rules, @Nullable String principal, ClientSource source)
            throws IOException {
        List<ThrottleRule> counting = BodyThrottle.counting(rules);
        if (!counting.isEmpty() && request.getAttribute(BODY) instanceof ThrottledResponse body) {
            body.limit(BodyThrottle.of(counting, principal, source));
        }
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        ThrottledResponse outer = WebUtils.getNativeResponse(response, ThrottledResponse.class);
        if (isWithinAnother(request)) {
            finishWithin(outer, request, response, chain);
        } else if (!AsyncBodyWriter.answersCutOff(request, ThrottledResponse.unwrap(response))) {
            begin(outer, request, response, chain);
        }
    }

    private void begin(
            @Nullable ThrottledResponse outer,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        if (outer == null) {
            ThrottledResponse throttled = new ThrottledResponse(request, response, memory);
            request.setAttribute(BODY, throttled);
            finish(throttled, new ThrottledRequest(request, throttled), throttled, chain);
        } else {
            finish(outer, request, response, chain);
        }
    }

    /** If the container sends an error page to its own response, there is nothing to finish here. */
    private static void finishWithin(
            @Nullable ThrottledResponse outer,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        if (outer == null) {
            chain.doFilter(request, response);
            return;
        }
        outer.beginWithin();
        try {
            chain.doFilter(request, response);
            outer.body().finishHere();
        } catch (IOException | ServletException | RuntimeException e) {
            if (!outer.body().answersRefusal()) {
                throw e;
            }
        }
    }

    private void finish(
            ThrottledResponse throttled, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean finished = false;
        try {
            chain.doFilter(request, response);
            throttled.body().finish(time);
            finished = true;
        } catch (IOException | ServletException | RuntimeException e) {
            // The service may wrap the exception in any way. A body refused before its first byte is answered with the
            // refusal.
            if (!throttled.body().answersRefusal()) {
                throw e;
            }
        } finally {
            if (!finished) {
                throttled.body().abandon();
            }
        }
    }

    /** Whether this is a forward or an error page: containers accept no bytes afterwards. */
    private static boolean isWithinAnother(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.FORWARD
                || request.getDispatcherType() == DispatcherType.ERROR;
    }
}
