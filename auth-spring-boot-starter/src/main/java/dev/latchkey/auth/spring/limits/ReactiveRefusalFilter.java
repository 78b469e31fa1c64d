package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Tells the limits where a request comes from, and the caller that it was refused: 429 for its own limit, 503 for overload.
 *
 * <p>Stands before Spring Security's filters. A manager sees neither request nor response, so the source travels in the
 * subscriber's context, and a refusal back as an error, which is no rejection and must not become a 401 on its way.
 */
final class ReactiveRefusalFilter implements WebFilter, Ordered {

    /** Spring Security's filters are at -100. */
    private static final int BEFORE_SECURITY = -101;

    private final TrustedProxies proxies;
    private final ReactiveRefusals refusals;

    ReactiveRefusalFilter(TrustedProxies proxies, ReactiveRefusals refusals) {
        this.proxies = proxies;
        this.refusals = refusals;
    }

    @Override
    public int getOrder() {
        return BEFORE_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange)
                .onErrorResume(
                        AuthUnavailableException.class,
                        refusal -> exchange.getResponse().isCommitted()
                                ? Mono.error(refusal)
                                : refusals.write(refusal, exchange))
                .contextWrite(context -> context.put(ClientSource.class, ReactiveSource.of(exchange, proxies)));
    }
}
