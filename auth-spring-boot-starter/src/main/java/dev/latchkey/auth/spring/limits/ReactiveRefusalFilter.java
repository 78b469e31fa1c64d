package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.RequestScope;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.RequestSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Tells the limits where a request comes from, and the caller that it was refused: 429 for its own limit, 503 for overload and an outage, and 500
 * where a plugin broke its contract.
 *
 * <p>It stands before Spring Security's filters. A manager sees neither request nor response. So the source travels to it in the subscriber's
 * context, and a refusal travels back as an error, which is no rejection and must not become a 401 on its way.
 */
final class ReactiveRefusalFilter implements WebFilter, Ordered {

    /** Spring Security's filters are at -100. */
    private static final int BEFORE_SECURITY = -101;

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveRefusalFilter.class);

    private final @Nullable TrustedProxies proxies;
    private final ReactiveRefusals refusals;

    /** @param proxies null where there are no limits, which alone ask for the source */
    ReactiveRefusalFilter(@Nullable TrustedProxies proxies, ReactiveRefusals refusals) {
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
                .onErrorResume(failure -> !exchange.getResponse().isCommitted(), failure -> answerTo(failure, exchange))
                .contextWrite(context -> withSource(context, exchange));
    }

    private Mono<Void> answerTo(Throwable failure, ServerWebExchange exchange) {
        if (failure instanceof AuthUnavailableException refusal) {
            return refusals.write(refusal, exchange);
        }
        if (failure instanceof AuthPluginException) {
            LOG.error("A request was refused because a plugin failed", failure);
            return ReactiveAnswers.write(Answer.of(Problem.INTERNAL_SERVER_ERROR), exchange);
        }
        return Mono.error(failure);
    }

    /** What a manager is not shown, and plugins are. */
    private Context withSource(Context context, ServerWebExchange exchange) {
        Context known = proxies == null ? context : withSource(context, ReactiveSource.of(exchange, proxies));
        return known.put(
                RequestContext.class,
                RequestContext.of(ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, known)));
    }

    private static Context withSource(Context context, ClientSource source) {
        return context.put(ClientSource.class, source).put(RequestScope.class, RequestSource.scopeOf(source));
    }
}
