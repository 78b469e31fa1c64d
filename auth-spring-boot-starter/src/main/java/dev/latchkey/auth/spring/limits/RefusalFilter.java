package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers for logins that were refused, by whatever filter or controller they were tried: 429 for a limit, 503 for an overload and
 * an outage, never 401. Stands before Spring Security's filters, so that the service's own see an ordinary answer.
 */
final class RefusalFilter implements Filter {

    private static final String PRESENT = RefusalFilter.class.getName();

    /** Whether a refusal that is thrown in this request is answered for. */
    static boolean isAround(ServletRequest request) {
        return request.getAttribute(PRESENT) != null;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(PRESENT, true);
        try {
            chain.doFilter(request, response);
        } catch (AuthUnavailableException e) {
            answer(e, e, request, response);
        } catch (ServletException e) {
            // A controller's, which MVC wraps.
            answer(refusalIn(e), e, request, response);
        }
    }

    private static @Nullable AuthUnavailableException refusalIn(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthUnavailableException refusal) {
                return refusal;
            }
        }
        return null;
    }

    private static <E extends Exception> void answer(
            @Nullable AuthUnavailableException refusal, E thrown, ServletRequest request, ServletResponse response)
            throws IOException, E {
        if (refusal == null || response.isCommitted() || !(response instanceof HttpServletResponse httpResponse)) {
            throw thrown;
        }
        httpResponse.resetBuffer();
        ServletRefusals.write(refusal, request, httpResponse);
    }
}
