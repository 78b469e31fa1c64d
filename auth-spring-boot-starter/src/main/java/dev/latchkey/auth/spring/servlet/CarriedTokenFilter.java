package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.CarriedTokens;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Adds the access token of a cookie to the request as a bearer token, in the {@code Authorization} field. All later
 * filters and controllers see this field. Runs after the CSRF filter, so forged requests do not reach this filter.
 */
final class CarriedTokenFilter extends OncePerRequestFilter {

    private static final String CARRIED = CarriedTokenFilter.class.getName() + ".CARRIED";
    private static final String IGNORED = CarriedTokenFilter.class.getName() + ".IGNORED";
    private static final String AUTHORIZATION = "Authorization";

    private final CarriedTokens tokens;
    private final RequestContexts contexts;

    CarriedTokenFilter(CarriedTokens tokens, RequestContexts contexts) {
        this.tokens = tokens;
        this.contexts = contexts;
    }

    /** Whether the token of this request was in a cookie. */
    static boolean hasCarried(HttpServletRequest request) {
        return request.getAttribute(CARRIED) != null;
    }

    /** Whether the cookies of this request are ignored, because the request has other credentials. */
    static boolean hasIgnored(HttpServletRequest request) {
        return request.getAttribute(IGNORED) != null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestContext context = contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request));
        Optional<String> token = tokens.in(context);
        HttpServletRequest seen = request;
        if (tokens.areBesideOthers(context)) {
            request.setAttribute(IGNORED, true);
        }
        if (token.isPresent()) {
            request.setAttribute(CARRIED, true);
            seen = new WithToken(request, "Bearer " + token.get());
        }
        try {
            chain.doFilter(seen, response);
        } catch (AuthUnavailableException e) {
            // CookieLogout throws this exception, and a filter of Spring Security passes the exception on.
            if (response.isCommitted()) {
                throw e;
            }
            ServletRefusals.write(e, request, response);
        }
    }

    private static final class WithToken extends HttpServletRequestWrapper {

        private final String authorization;

        WithToken(HttpServletRequest request, String authorization) {
            super(request);
            this.authorization = authorization;
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase(AUTHORIZATION) ? authorization : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(AUTHORIZATION)
                    ? Collections.enumeration(List.of(authorization))
                    : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            List<String> names = Collections.list(super.getHeaderNames());
            names.add(AUTHORIZATION);
            return Collections.enumeration(names);
        }
    }
}
