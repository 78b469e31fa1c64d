package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.spring.http.BoundRequest;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers for logins and permissions that were not decided, whatever filter, rule or controller asked for them: 429 for a limit, 503 for an overload
 * and an outage, 500 for a plugin that broke its contract, and never 401 or 403. It stands before Spring Security's filters, so that the service's
 * own see an ordinary answer. It also binds the request, which a manager is not shown.
 */
final class RefusalFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalFilter.class);

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestContext outer = BoundRequest.bind(contextOf(request));
        try {
            chain.doFilter(request, response);
        } catch (AuthUnavailableException | AuthPluginException e) {
            answer(e, e, request, response);
        } catch (ServletException e) {
            // A controller's, which MVC wraps.
            answer(reasonIn(e), e, request, response);
        } finally {
            BoundRequest.bind(outer);
        }
    }

    private static @Nullable RequestContext contextOf(ServletRequest request) {
        return request instanceof HttpServletRequest http
                ? RequestContext.of(ServletHeaders.of(http), () -> ServletHeaders.addressOf(http))
                : null;
    }

    private static @Nullable RuntimeException reasonIn(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthUnavailableException || cause instanceof AuthPluginException) {
                return (RuntimeException) cause;
            }
        }
        return null;
    }

    private static <E extends Exception> void answer(
            @Nullable RuntimeException reason, E thrown, ServletRequest request, ServletResponse response)
            throws IOException, E {
        if (reason == null || response.isCommitted() || !(response instanceof HttpServletResponse httpResponse)) {
            throw thrown;
        }
        httpResponse.resetBuffer();
        if (reason instanceof AuthUnavailableException refusal) {
            ServletRefusals.write(refusal, request, httpResponse);
        } else {
            // Let out, it would end in an error dispatch that the service's rules answer with 401 or 403.
            LOG.error("A request was refused because a plugin failed", reason);
            Problem.INTERNAL_SERVER_ERROR.writeTo(httpResponse);
        }
    }
}
