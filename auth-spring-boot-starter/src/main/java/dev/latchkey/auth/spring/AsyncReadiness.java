package dev.latchkey.auth.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Whether a request may give its thread back here.
 *
 * <p>The dispatch that brings it back is another one than the first: it passes only those filters that are mapped to
 * asynchronous dispatches, and Spring's skip it unless they say otherwise. Where that would leave out something of the service's
 * own, a request thread waits for the pool instead; and wherever it could lead past the rules of this chain.
 */
final class AsyncReadiness {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncReadiness.class);

    /** Runs requests on the caller's thread, with nobody there to dispatch them again. */
    private static final String MOCKS = "org.springframework.mock.web.";

    /** Whose code on the way to an encoder is known to cope with a pass that ends there. */
    private static final List<String> KNOWN = List.of(
            "java.",
            "jdk.",
            "sun.",
            "jakarta.",
            "org.springframework.",
            "dev.latchkey.",
            "io.micrometer.",
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.tomcat.",
            "org.eclipse.jetty.",
            "io.undertow.",
            "org.xnio.",
            "org.jboss.threads.");

    private static final StackWalker STACK = StackWalker.getInstance();

    private final GuardProperties.Async mode;
    private final Supplier<FilterChainProxy> proxy;
    private final AsyncMappings mappings;
    private final HandlerLookups lookups;
    private final Duration timeout;
    private final AtomicBoolean told = new AtomicBoolean();

    AsyncReadiness(
            GuardProperties.Async mode,
            Supplier<FilterChainProxy> proxy,
            AsyncMappings mappings,
            HandlerLookups lookups,
            Duration timeout) {
        this.mode = mode;
        this.proxy = proxy;
        this.mappings = mappings;
        this.lookups = lookups;
        this.timeout = timeout;
    }

    /** For whoever shows a request as another dispatch than it is. */
    HandlerLookups lookups() {
        return lookups;
    }

    /** After which a request that nobody has brought back is refused. */
    Duration timeout() {
        return timeout;
    }

    boolean isReady(HttpServletRequest request, Filter here) {
        return mode != GuardProperties.Async.NEVER
                && request.isAsyncSupported()
                && !request.isAsyncStarted()
                && request.getHeader("Upgrade") == null
                && !isMock(request)
                && mappings.reachSecurity()
                && staysInTheChainOf(here, request)
                && (mode == GuardProperties.Async.ALWAYS || isAmongItsOwn());
    }

    private static boolean isMock(ServletRequest request) {
        ServletRequest bare = request;
        while (bare instanceof ServletRequestWrapper wrapper) {
            bare = wrapper.getRequest();
        }
        return bare.getClass().getName().startsWith(MOCKS);
    }

    /** Another chain may be meant for asynchronous dispatches, and let them pass. */
    private boolean staysInTheChainOf(Filter here, HttpServletRequest request) {
        HttpServletRequest dispatched = new HttpServletRequestWrapper(request) {
            @Override
            public DispatcherType getDispatcherType() {
                return DispatcherType.ASYNC;
            }
        };
        Runnable end = lookups.showing(dispatched);
        try {
            return chainOf(dispatched)
                    .filter(chain -> chain.getFilters().contains(here))
                    .isPresent();
        } finally {
            end.run();
        }
    }

    private Optional<SecurityFilterChain> chainOf(HttpServletRequest request) {
        return proxy.get().getFilterChains().stream()
                .filter(chain -> chain.matches(request))
                .findFirst();
    }

    /** Whether nothing of the service's own is around this call, or would be left out behind it. */
    private boolean isAmongItsOwn() {
        String stranger = mappings.unreached()
                .or(() -> STACK.walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> KNOWN.stream().noneMatch(name::startsWith))
                        .findFirst()))
                .orElse(null);
        if (stranger != null && told.compareAndSet(false, true)) {
            LOG.info(
                    "Logins keep their request thread while the pool hashes, since {} may not be made for asynchronous"
                            + " dispatches. If all filters are, set latchkey.guard.async=always",
                    stranger);
        }
        return stranger == null;
    }
}
