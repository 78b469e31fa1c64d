package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.RequestContexts;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationServiceException;

/**
 * Answers undecided logins and permissions from any filter, rule or controller: 429 for a limit, 503 for an overload and an
 * outage, 500 for a plugin with a broken contract, and never 401 or 403. The filter is before Spring Security's filters, so the
 * service's own outer filters see an ordinary answer. The filter also binds the request for plugins behind a manager.
 */
final class RefusalFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalFilter.class);

    private final RequestContexts contexts;

    RefusalFilter(RequestContexts contexts) {
        this.contexts = contexts;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CurrentLogin outer = CurrentLogin.here();
        try {
            bind(request, outer);
            chain.doFilter(request, response);
        } catch (AuthUnavailableException | AuthPluginException | AuthenticationServiceException | ServletException e) {
            // A resource server wraps the exception of its decoder, and MVC the exception of a controller.
            if (!isAnswered(e, request, response)) {
                throw e;
            }
        } finally {
            outer.bind();
        }
    }

    private void bind(ServletRequest request, CurrentLogin outer) {
        if (request instanceof HttpServletRequest http) {
            RequestContext context = contexts.of(ServletHeaders.of(http), () -> ServletHeaders.addressOf(http));
            CurrentLogin unused = CurrentRequest.with(context, outer).bind();
        }
    }

    private static boolean isAnswered(Exception thrown, ServletRequest request, ServletResponse response)
            throws IOException {
        RuntimeException reason = Undecided.reasonIn(thrown);
        if (reason == null || response.isCommitted() || !(response instanceof HttpServletResponse httpResponse)) {
            return false;
        }
        httpResponse.resetBuffer();
        if (reason instanceof AuthUnavailableException refusal) {
            ServletRefusals.write(refusal, request, httpResponse);
        } else {
            // A thrown exception would end in an error dispatch. The service's rules answer such a dispatch with 401
            // or 403.
            LOG.error("A request was refused because a plugin failed", reason);
            Problem.INTERNAL_SERVER_ERROR.writeTo(httpResponse);
        }
        return true;
    }
}
