package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
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
 * The outermost filter: makes the HTTP request available to the plugin, corrects the answer after a missing decision,
 * and holds rejections.
 *
 * <p>The server answers 403 to every failure, which a client takes for a wrong password. An immediate rejection would
 * cost the server more than the client, which retries at once. Therefore the rejection waits in the response's buffer,
 * without a thread, and no code of the server runs twice. If the request cannot be asynchronous, or too many are held,
 * the answer is sent at once.
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
        if (!call.isEndingLater() && call.unavailable().isPresent() && mayBeHeld(request, response)) {
            hold(request, response);
        }
    }

    private void login(CurrentCall call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        // Reads the whole body first: a slow client may hold a thread, but not one of the few slots.
        @Nullable String username = request.getParameter(ShownCredentials.USERNAME);
        if (!rush.enter(username)) {
            AuthUnavailableException why = LoginRush.refusal();
            call.failed(why);
            HttpAnswer.of(why).write(response);
            return;
        }
        call.atEnd(() -> left(call));
        try {
            chain.doFilter(request, new Corrected(response, call));
        } finally {
            if (!call.isEndingLater()) {
                call.ended();
            }
        }
    }

    /** Only missing hashes begin a rush: an overload of a directory or an issuer must not keep out the server's users. */
    private void left(CurrentCall call) {
        rush.leave();
        if (call.isWithoutHash()) {
            rush.overloaded();
        }
    }

    private static boolean mayBeHeld(ServletRequest request, ServletResponse response) {
        return request.isAsyncSupported() && !request.isAsyncStarted() && !response.isCommitted();
    }

    /** A timer or the server's end releases the answer. */
    private void hold(ServletRequest request, ServletResponse response) {
        HeldRequest answer = HeldRequest.start(request, response);
        if (!held.hold(answer::complete)) {
            answer.complete();
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
