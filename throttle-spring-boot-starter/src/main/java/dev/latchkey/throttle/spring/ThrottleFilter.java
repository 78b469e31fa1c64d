package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.web.util.WebUtils;

/**
 * Limits requests, and the bodies of responses, to the rates of the throttles for their path.
 *
 * <p>A request passes every request-counting throttle before the service, see {@link WaitingRequests}. A body passes in
 * pieces, see {@link ThrottledOutput}, and each piece passes every byte-counting throttle.
 *
 * <p>The filter runs behind Spring Security's chain, so the user is known. Requests rejected by security are not
 * counted here: for these there are login limits.
 */
final class ThrottleFilter implements Filter {

    private static final String COUNTED = ThrottleFilter.class.getName() + ".counted";

    private final List<ThrottleRule> rules;
    private final TrustedProxies proxies;
    private final GuardTime time;
    private final CallerNames names;
    private final WaitingRequests waiting;
    private final PendingPieces.Memory memory = PendingPieces.Memory.ofThisProcess();

    ThrottleFilter(
            Collection<ThrottleRule> rules,
            TrustedProxies proxies,
            GuardTime time,
            CallerNames names,
            WaitingRequests waiting) {
        this.rules = List.copyOf(rules);
        this.proxies = proxies;
        this.time = time;
        this.names = names;
        this.waiting = waiting;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (AsyncBodyWriter.answersCutOff(request, ThrottledResponse.unwrap(response))) {
            return;
        }
        String path = pathOf(request);
        List<ThrottleRule> matching =
                rules.stream().filter(rule -> rule.isFor(path)).toList();
        if (matching.isEmpty()) {
            chain.doFilter(request, response);
        } else if (request.getAttribute(COUNTED) != null) {
            // An asynchronous dispatch of the service.
            respond(matching, request, response, chain);
        } else {
            request.setAttribute(COUNTED, true);
            begin(matching, request, response, chain);
        }
    }

    private void begin(
            List<ThrottleRule> matching, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String principal = names.of(request.getUserPrincipal());
        ClientSource source = sourceOf(request);
        RequestThrottle throttle = RequestThrottle.begin(matching, principal, source);
        Optional<ThrottleRefusal> refusal = waiting.await(throttle, WaitingRequests.Caller.of(principal, source));
        if (refusal.isPresent()) {
            refusal.get().writeTo(ThrottledResponse.unwrap(response));
        } else {
            throttle.fields().forEach(fields -> fields.addTo(response::addHeader));
            respond(matching, request, response, chain);
        }
    }

    /** As decoded and normalized by the container. */
    private static String pathOf(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    /** By the container's own request: Spring's {@code ForwardedHeaderFilter} replaces the address by one that any client can write. */
    private ClientSource sourceOf(HttpServletRequest wrapped) {
        HttpServletRequest request = received(wrapped);
        return proxies.sourceOf(request.getRemoteAddr(), name -> Collections.list(request.getHeaders(name)));
    }

    private static HttpServletRequest received(HttpServletRequest wrapped) {
        ServletRequest inner = wrapped;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest received ? received : wrapped;
    }

    private void respond(
            List<ThrottleRule> matching, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        List<ThrottleRule> counting = BodyThrottle.counting(matching);
        if (counting.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        ThrottledResponse outer = WebUtils.getNativeResponse(response, ThrottledResponse.class);
        if (outer != null) {
            finish(outer, request, response, chain);
            return;
        }
        BodyThrottle throttle = BodyThrottle.of(counting, names.of(request.getUserPrincipal()), sourceOf(request));
        ThrottledResponse throttled = new ThrottledResponse(request, response, throttle, memory);
        finish(throttled, new ThrottledRequest(request, throttled), throttled, chain);
    }

    private void finish(
            ThrottledResponse throttled, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean finished = isWithinAnother(request);
        try {
            chain.doFilter(request, response);
            throttled.finish(time);
            finished = true;
        } catch (IOException | ServletException | RuntimeException e) {
            // The service may wrap the exception in any way. A body refused before its first byte is answered with the
            // refusal.
            if (!throttled.answersRefusal()) {
                throw e;
            }
        } finally {
            if (!finished) {
                throttled.abandon();
            }
        }
    }

    /** If so, the forwarding or including code may continue after a failure, with the bytes written so far. */
    private static boolean isWithinAnother(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.FORWARD
                || request.getDispatcherType() == DispatcherType.INCLUDE;
    }
}
