package dev.latchkey.auth.spring;

import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;

/**
 * Turns on plugins and tokens in a WebFlux filter chain, in one line of its bean:
 *
 * <pre>{@code
 * SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
 *     return latchkey.addTo(http).authorizeExchange(…).build();
 * }
 * }</pre>
 *
 * <p>Requests with a bearer token, or with credentials that a plugin reads, are authenticated by the chain of plugins.
 * HTTP Basic and all else that the chain has stay as they are. Safe to add to any number of chains.
 */
public final class LatchkeyWebFlux {

    private final ReactivePluginFilter plugins;

    LatchkeyWebFlux(ReactivePluginFilter plugins) {
        this.plugins = plugins;
    }

    /** Adds the filters, and gives the same object back. */
    public ServerHttpSecurity addTo(ServerHttpSecurity http) {
        http.addFilterBefore(ReactivePluginFilter::withoutCsrfForTokens, SecurityWebFiltersOrder.CSRF);
        return http.addFilterBefore(plugins, SecurityWebFiltersOrder.HTTP_BASIC);
    }

    /**
     * What asks for a bearer token (RFC 6750 section 3), for a chain that knows no other way in; without it Spring Security asks
     * for HTTP Basic:
     *
     * <pre>{@code
     * http.exceptionHandling(handling -> handling.authenticationEntryPoint(latchkey.challenge()));
     * }</pre>
     */
    public ServerAuthenticationEntryPoint challenge() {
        return (exchange, failure) -> ReactiveProblems.write(BearerChallenge.PLAIN, exchange);
    }
}
