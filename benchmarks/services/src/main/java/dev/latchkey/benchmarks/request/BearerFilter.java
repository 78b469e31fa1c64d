package dev.latchkey.benchmarks.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A handwritten filter with token authentication alone: no revocations, no plugins, no events, no answer of its own. The cost
 * of this filter is the minimum for a check in a filter of Spring Security. Reading the header field is most of the cost.
 */
public final class BearerFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    private final Function<String, Optional<Authentication>> tokens;

    /** @param tokens empty for a bad token */
    public BearerFilter(Function<String, Optional<Authentication>> tokens) {
        this.tokens = tokens;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header != null && header.startsWith(BEARER)) {
            tokens.apply(header.substring(BEARER.length())).ifPresent(caller -> {
                SecurityContext context = SecurityContextHolder.createEmptyContext();
                context.setAuthentication(caller);
                SecurityContextHolder.setContext(context);
            });
        }
        chain.doFilter(request, response);
    }
}
