package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.RequestContexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Passes the request's source to the limits, and answers failures: 429 for a rate-limited client, 503 for overload and an outage,
 * and 500 for a plugin with a broken contract.
 *
 * <p>The filter is before Spring Security's filters. A manager sees neither request nor response. So the source travels in the
 * subscriber's context, and a failure travels back as an error, which must not become a 401.
 *
 * @param proxies null without limits, because only limits need the source
 */
record ReactiveRefusalFilter(@Nullable TrustedProxies proxies, RequestContexts contexts, ReactiveRefusals refusals)
        implements WebFilter, Ordered {

    /** Spring Security's filters are at -100. */
    private static final int BEFORE_SECURITY = -101;

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveRefusalFilter.class);

    @Override
    public int getOrder() {
        return BEFORE_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange)
                .onErrorResume(failure -> !exchange.getResponse().isCommitted(), failure -> answerTo(failure, exchange))
                .contextWrite(context -> withRequest(context, exchange));
    }

    private Mono<Void> answerTo(Throwable failure, ServerWebExchange exchange) {
        // A resource server wraps the exception of its decoder.
        Throwable reason = failure instanceof AuthenticationServiceException ? Undecided.reasonIn(failure) : failure;
        if (reason instanceof AuthUnavailableException refusal) {
            return refusals.write(refusal, exchange);
        }
        if (reason instanceof AuthPluginException) {
            LOG.error("A request was refused because a plugin failed", failure);
            return ReactiveAnswers.write(Answer.of(Problem.INTERNAL_SERVER_ERROR), exchange);
        }
        return Mono.error(failure);
    }

    /** The source for a manager, and the request for plugins. */
    private Context withRequest(Context context, ServerWebExchange exchange) {
        CurrentLogin outer = ReactiveSource.in(context);
        CurrentLogin known = proxies == null ? outer : from(ReactiveSource.of(exchange, proxies), outer);
        Context before = context.put(CurrentLogin.class, known);
        RequestContext request =
                contexts.of(ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, before));
        return context.put(
                CurrentLogin.class, CurrentRequest.with(request, known).with(CurrentLogin.SUBSCRIBER, context));
    }

    private static CurrentLogin from(ClientSource source, CurrentLogin outer) {
        return CurrentRequest.from(() -> source, outer);
    }
}
