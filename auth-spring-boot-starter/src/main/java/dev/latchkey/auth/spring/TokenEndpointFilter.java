package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Puts an endpoint in front of the chain's authorization rules, as Spring's own login filters are: nobody has to permit its
 * path, and none of the service's rules can lock people out of logging in.
 */
final class TokenEndpointFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(TokenEndpointFilter.class);

    private final TokenEndpoint endpoint;
    private final RequestMatcher matcher;

    TokenEndpointFilter(TokenEndpoint endpoint) {
        this.endpoint = endpoint;
        this.matcher = PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, endpoint.path());
    }

    /** Two of these stand in one chain: each marks the requests it has seen by a name of its own. */
    @Override
    protected String getAlreadyFilteredAttributeName() {
        return TokenEndpointFilter.class.getName() + ":" + endpoint.path();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !matcher.matches(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            endpoint.answer(request, response);
        } catch (AuthUnavailableException e) {
            Problem.writeUnavailable(e, response);
        } catch (RuntimeException e) {
            // Let out of the filter, it would end in an error dispatch that the service's rules answer with 401 or 403.
            LOG.error("{} failed", endpoint.path(), e);
            Problem.INTERNAL_SERVER_ERROR.writeTo(response);
        }
    }
}
