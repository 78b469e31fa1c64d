package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.RefusedPreflights;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/** Watches the answers of the chain's {@code CorsWebFilter} to preflights for an endpoint. Changes no answer. */
final class ReactivePreflightFilter implements WebFilter {

    private record Preflight(PathPattern path, AuthEndpoint endpoint) {}

    private final RefusedPreflights refused = new RefusedPreflights("http.cors(Customizer.withDefaults())");
    private final List<Preflight> preflights;

    ReactivePreflightFilter(List<AuthEndpoint> endpoints) {
        preflights = endpoints.stream()
                .map(endpoint -> new Preflight(PathPatternParser.defaultInstance.parse(endpoint.path()), endpoint))
                .toList();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Mono<Void> rest = chain.filter(exchange);
        return CorsUtils.isPreFlightRequest(exchange.getRequest()) ? rest.doOnTerminate(() -> lookAt(exchange)) : rest;
    }

    private void lookAt(ServerWebExchange exchange) {
        HttpHeaders asked = exchange.getRequest().getHeaders();
        String method = String.valueOf(asked.getFirst(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD));
        if (exchange.getResponse().getHeaders().getAccessControlAllowOrigin() == null) {
            preflights.stream()
                    .filter(preflight -> preflight.endpoint().serves(method)
                            && preflight
                                    .path()
                                    .matches(exchange.getRequest().getPath().pathWithinApplication()))
                    .findFirst()
                    .ifPresent(preflight -> refused.tell(preflight.endpoint()));
        }
    }
}
