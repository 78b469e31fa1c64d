package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
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
import org.jspecify.annotations.Nullable;

/**
 * Limits requests, and the bodies of responses, to the rates of the throttles for their path.
 *
 * <p>A request passes every request-counting throttle before the service, see {@link WaitingRequests}. Each piece of a
 * body passes every byte-counting throttle, see {@link ThrottledBodyFilter}.
 *
 * <p>The filter runs behind Spring Security's chain, so the user is known. Requests rejected by security are not
 * counted here. Failed logins have limits of their own.
 */
final class ThrottleFilter implements Filter {

    private static final String COUNTED = ThrottleFilter.class.getName() + ".counted";

    private final List<ThrottleRule> rules;
    private final TrustedProxies proxies;
    private final CallerNames names;
    private final WaitingRequests waiting;

    ThrottleFilter(Collection<ThrottleRule> rules, TrustedProxies proxies, CallerNames names, WaitingRequests waiting) {
        this.rules = List.copyOf(rules);
        this.proxies = proxies;
        this.names = names;
        this.waiting = waiting;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        String path = pathOf(request);
        List<ThrottleRule> matching =
                rules.stream().filter(rule -> rule.isFor(path)).toList();
        if (!matching.isEmpty()) {
            String principal = names.of(request.getUserPrincipal());
            ClientSource source = sourceOf(request);
            if (!passes(matching, principal, source, request, response)) {
                return;
            }
            ThrottledBodyFilter.limit(request, matching, principal, source);
        }
        chain.doFilter(request, response);
    }

    /** Whether the request has passed, now or before an asynchronous dispatch of the service. */
    private boolean passes(
            List<ThrottleRule> matching,
            @Nullable String principal,
            ClientSource source,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        if (request.getAttribute(COUNTED) != null) {
            return true;
        }
        request.setAttribute(COUNTED, true);
        WaitingRequests.Caller caller = WaitingRequests.Caller.of(principal, source);
        boolean mayWait = waiting.enter(caller);
        try {
            RequestThrottle throttle = RequestThrottle.begin(matching, principal, source, mayWait);
            Optional<ThrottleRefusal> refusal = throttle.await();
            if (refusal.isEmpty()) {
                throttle.fields().forEach(fields -> fields.addTo(response::addHeader));
            } else {
                refusal.get().writeTo(response);
            }
            return refusal.isEmpty();
        } finally {
            if (mayWait) {
                waiting.leave(caller);
            }
        }
    }

    /** The path, decoded and normalized by the container. */
    private static String pathOf(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    /**
     * Reads the address of the container's own request. Spring's {@code ForwardedHeaderFilter} replaces this address by a
     * header's value, and any client can write the header.
     */
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
}
