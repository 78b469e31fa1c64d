package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Outermost: makes the HTTP request known to the plugin, corrects the answer to what it could not decide, and holds it.
 *
 * <p>The server answers 403 to every failure, from which a client concludes that its password is wrong. A refusal that is sent at once
 * costs the server more than the client, which comes back at once; so it waits in the response's buffer, with no thread, and nothing of
 * the server runs a second time. Where the request cannot be asynchronous, or too many are held, it is sent at once.
 */
final class CallFilter implements Filter {

    private final TrustedProxies proxies;
    private final HeldRefusals held;
    private final LoginRush rush;

    CallFilter(TrustedProxies proxies, HeldRefusals held, LoginRush rush) {
        this.proxies = proxies;
        this.held = held;
        this.rush = rush;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        CurrentCall call = CurrentCall.of(http, proxies);
        @Nullable CurrentCall before = call.begin();
        try {
            if (LoginFilter.isLogin(http)) {
                login(call, http, answer, chain);
            } else {
                chain.doFilter(request, new Corrected(answer, call));
            }
        } finally {
            call.end(before);
        }
        if (call.unavailable().isPresent() && mayBeHeld(request, response)) {
            hold(request, response);
        }
    }

    private void login(CurrentCall call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        // Read first, and with it the whole body: who sends his slowly holds a thread, and must not hold a place of the
        // few besides.
        @Nullable String username = request.getParameter(ShownCredentials.USERNAME);
        if (!rush.enter(username)) {
            AuthUnavailableException why = LoginRush.refusal();
            call.failed(why);
            HttpAnswer.of(why).write(response);
            return;
        }
        try {
            chain.doFilter(request, new Corrected(response, call));
        } finally {
            rush.leave();
        }
        call.unavailable()
                .filter(why -> why.kind() == AuthUnavailableException.Kind.OVERLOAD)
                .ifPresent(why -> rush.overloaded());
    }

    private static boolean mayBeHeld(ServletRequest request, ServletResponse response) {
        return request.isAsyncSupported() && !request.isAsyncStarted() && !response.isCommitted();
    }

    /** The container's time-out would answer with an error, so there is none: what is held ends by a timer, or with the server. */
    private void hold(ServletRequest request, ServletResponse response) {
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        if (!held.hold(async::complete)) {
            async.complete();
        }
    }

    private static final class Corrected extends HttpServletResponseWrapper {

        private final CurrentCall call;

        Corrected(HttpServletResponse response, CurrentCall call) {
            super(response);
            this.call = call;
        }

        @Override
        public void sendError(int status, String message) throws IOException {
            AuthUnavailableException why =
                    status == SC_FORBIDDEN ? call.unavailable().orElse(null) : null;
            if (why == null) {
                super.sendError(status, message);
            } else {
                HttpAnswer.of(why).write((HttpServletResponse) getResponse());
            }
        }
    }
}
