package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** {@link KeyCsrfFilter} for a WebFlux service. */
final class ReactiveKeyCsrfFilter implements WebFilter, Ordered {

    private final ApiKeysPlugin keys;

    ReactiveKeyCsrfFilter(ApiKeysPlugin keys) {
        this.keys = keys;
    }

    @Override
    public int getOrder() {
        return KeyCsrfFilter.BEFORE_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        RequestContext context = RequestContext.of(
                HeaderFields.of(exchange.getRequest().getHeaders()::forEach)::values, Optional::empty);
        if (keys.read(context).isPresent()) {
            CsrfWebFilter.skipExchange(exchange);
        }
        return chain.filter(exchange);
    }
}
