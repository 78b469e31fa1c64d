package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.LoginGuard;
import dev.latchkey.auth.guard.TrustedProxies;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** First in a chain: makes the guard known to all that follows, and answers for what it refused. */
final class GuardRequestFilter implements Filter {

    private static final String ATTRIBUTE = GuardedRequest.class.getName();

    /** A refusal that is told when its request comes back. */
    private static final String HELD = GuardRequestFilter.class.getName() + ".HELD";

    private final Supplier<LoginGuard> guard;
    private final Supplier<TrustedProxies> proxies;
    private final Supplier<Set<String>> knownPlugins;
    private final Supplier<AsyncReadiness> readiness;

    /** @param knownPlugins as {@link GuardedRequest} needs them */
    GuardRequestFilter(
            Supplier<LoginGuard> guard,
            Supplier<TrustedProxies> proxies,
            Supplier<Set<String>> knownPlugins,
            Supplier<AsyncReadiness> readiness) {
        this.guard = guard;
        this.proxies = proxies;
        this.knownPlugins = knownPlugins;
        this.readiness = readiness;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest httpRequest && response instanceof HttpServletResponse httpResponse) {
            pass(httpRequest, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(HELD) instanceof AuthUnavailableException refusal) {
            request.removeAttribute(HELD);
            Problem.writeUnavailable(refusal, response);
            return;
        }
        GuardedRequest guarded = of(request);
        GuardedRequest outer = GuardedRequest.bind(guarded);
        try {
            chain.doFilter(request, response);
        } catch (AuthUnavailableException e) {
            refuse(e, e, request, response);
        } catch (ServletException e) {
            // What a controller asked for, and MVC wraps.
            refuse(refusalIn(e), e, request, response);
        } finally {
            GuardedRequest.bind(outer);
            if (guarded.isPaused()) {
                request.setAttribute(ATTRIBUTE, guarded);
            } else {
                guarded.close();
            }
        }
    }

    private GuardedRequest of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof GuardedRequest paused) {
            request.removeAttribute(ATTRIBUTE);
            return paused;
        }
        return new GuardedRequest(guard.get(), () -> sourceOf(request), knownPlugins);
    }

    private ClientSource sourceOf(HttpServletRequest request) {
        return proxies.get().sourceOf(request.getRemoteAddr(), name -> Collections.list(request.getHeaders(name)));
    }

    private static @Nullable AuthUnavailableException refusalIn(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthUnavailableException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private <E extends Exception> void refuse(
            @Nullable AuthUnavailableException refusal,
            E thrown,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, E {
        if (refusal == null || response.isCommitted()) {
            throw thrown;
        }
        response.resetBuffer();
        if (!isHeldFrom(request, response, refusal)) {
            Problem.writeUnavailable(refusal, response);
        }
    }

    /** Whether it will be told when the request comes back, with no thread waiting until then. */
    @SuppressWarnings("FutureReturnValueIgnored") // what the request comes back for is known already
    private boolean isHeldFrom(
            HttpServletRequest request, HttpServletResponse response, AuthUnavailableException refusal) {
        // A request that has come back has been held already.
        if (request.getDispatcherType() != DispatcherType.REQUEST
                || !readiness.get().isReady(request, this)) {
            return false;
        }
        CompletableFuture<?> late = guard.get().refusals().hold(CompletableFuture.failedFuture(refusal), () -> {});
        if (late.isDone()) {
            return false;
        }
        request.setAttribute(HELD, refusal);
        AsyncRound.start(request, response, readiness.get().timeout(), () -> late, () -> {});
        return true;
    }
}
