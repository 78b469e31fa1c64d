package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.AsyncContext;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.WebUtils;

/**
 * Limits requests, and the bodies of responses, to the rates of the throttles for their path.
 *
 * <p>A request passes every request-counting throttle before the service. A waiting request is an entry in a queue
 * without a thread: asynchronous servlet processing, resumed by a dispatch. A body passes in pieces, see
 * {@link ThrottledOutput}, and each piece passes every byte-counting throttle.
 *
 * <p>The filter runs behind Spring Security's chain, so the user is known. Requests rejected by security are not
 * counted here: for these there are login limits.
 */
final class ThrottleFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleFilter.class);
    private static final String WAITS = ThrottleFilter.class.getName() + ".waits";

    private final List<ThrottleRule> rules;
    private final TrustedProxies proxies;
    private final GuardTime time;
    private final CallerNames names;
    private final PendingPieces.Memory memory = PendingPieces.Memory.ofThisProcess();

    ThrottleFilter(Collection<ThrottleRule> rules, TrustedProxies proxies, GuardTime time, CallerNames names) {
        this.rules = List.copyOf(rules);
        this.proxies = proxies;
        this.time = time;
        this.names = names;
    }

    @Override
    public void doFilter(ServletRequest servletRequest, ServletResponse servletResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) servletRequest;
        HttpServletResponse response = (HttpServletResponse) servletResponse;
        if (AsyncBodyWriter.answersCutOff(request, ThrottledResponse.unwrap(response))) {
            return;
        }
        if (request.getAttribute(WAITS) instanceof Waiting waited) {
            request.removeAttribute(WAITS);
            goOn(waited.throttle, waited.request, response, chain);
            return;
        }
        String path = pathOf(request);
        List<ThrottleRule> matching =
                rules.stream().filter(rule -> rule.isFor(path)).toList();
        if (matching.isEmpty()) {
            chain.doFilter(request, response);
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            // The service's own dispatch: the request was counted at its start.
            respond(matching, request, response, chain);
        } else {
            RequestThrottle throttle =
                    RequestThrottle.begin(matching, names.of(request.getUserPrincipal()), sourceOf(request));
            if (!throttle.result().isDone() && request.isAsyncSupported()) {
                waitFor(throttle, request, response);
            } else {
                goOn(throttle, request, response, chain);
            }
        }
    }

    /** As decoded and normalized by the container. */
    private static String pathOf(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null ? request.getServletPath() : request.getServletPath() + info;
    }

    /** The container's own request. */
    private static HttpServletRequest received(HttpServletRequest wrapped) {
        ServletRequest inner = wrapped;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest received ? received : wrapped;
    }

    /** By the container's own request: Spring's {@code ForwardedHeaderFilter} replaces the address by one that any client can write. */
    private ClientSource sourceOf(HttpServletRequest wrapped) {
        HttpServletRequest request = received(wrapped);
        return proxies.sourceOf(request.getRemoteAddr(), name -> Collections.list(request.getHeaders(name)));
    }

    /** Blocks the thread only if a filter or servlet of the service does not support asynchronous processing. */
    private void goOn(
            RequestThrottle throttle, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<ThrottleRefusal> refusal = throttle.await();
        if (refusal.isPresent()) {
            refusal.get().writeTo(response);
        } else {
            throttle.fields().forEach(fields -> fields.addTo(response::addHeader));
            respond(throttle.matching(), request, response, chain);
        }
    }

    /** @param request as the filters before this one pass it on: some of them do not run again in the dispatch */
    private record Waiting(RequestThrottle throttle, HttpServletRequest request) {}

    /** Jetty doubles the query's parameters in the dispatch of a wrapped request, so the container's own request is dispatched. */
    @SuppressWarnings("FutureReturnValueIgnored") // resume() handles its failures
    private static void waitFor(RequestThrottle throttle, HttpServletRequest request, HttpServletResponse response) {
        request.setAttribute(WAITS, new Waiting(throttle, request));
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
