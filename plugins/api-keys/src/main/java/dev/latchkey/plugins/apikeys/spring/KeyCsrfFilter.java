package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Exempts requests with a key from CSRF tokens, in a servlet service. A foreign page cannot set the header field of the
 * key, so such a request cannot be forged. Without this filter, clients with keys could not write while Spring
 * Security's CSRF protection is on.
 */
final class KeyCsrfFilter extends OncePerRequestFilter implements Ordered {

    /** Before Spring Security's filters, which are at -100. */
    static final int BEFORE_SECURITY = -101;

    private final ApiKeysPlugin keys;

    KeyCsrfFilter(ApiKeysPlugin keys) {
        this.keys = keys;
    }

    @Override
    public int getOrder() {
        return BEFORE_SECURITY;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestContext context = RequestContext.of(name -> Collections.list(request.getHeaders(name)), Optional::empty);
        if (keys.read(context).isPresent()) {
            CsrfFilter.skipRequest(request);
        }
        chain.doFilter(request, response);
    }
}
