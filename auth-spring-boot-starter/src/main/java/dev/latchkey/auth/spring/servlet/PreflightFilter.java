package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.RefusedPreflights;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/** Watches the answers of the chain's {@code CorsFilter} to preflights for an endpoint. Changes no answer. */
final class PreflightFilter extends OncePerRequestFilter {

    private record Preflight(RequestMatcher path, AuthEndpoint endpoint) {}

    private final RefusedPreflights refused = new RefusedPreflights("http.cors(Customizer.withDefaults())");
    private final List<Preflight> preflights;

    PreflightFilter(List<AuthEndpoint> endpoints) {
        preflights = endpoints.stream()
                .map(endpoint -> new Preflight(
                        PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.OPTIONS, endpoint.path()),
                        endpoint))
                .toList();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !CorsUtils.isPreFlightRequest(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } finally {
            if (!response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
                tell(request);
            }
        }
    }

    private void tell(HttpServletRequest request) {
        String method = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
        preflights.stream()
                .filter(preflight ->
                        preflight.endpoint().serves(method) && preflight.path().matches(request))
                .findFirst()
                .ifPresent(preflight -> refused.tell(preflight.endpoint()));
    }
}
