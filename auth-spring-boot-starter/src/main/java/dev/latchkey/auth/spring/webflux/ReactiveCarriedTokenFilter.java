package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.CarriedTokens;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.UnforgeableRequests;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Adds the access token of a cookie to the request as a bearer token, in the {@code Authorization} field. All later
 * filters and controllers see this field. Runs after the CSRF filter, so forged requests do not reach this filter. A
 * finished chain does not show its filters, so this filter looks for the CSRF filter's attribute in each request.
 */
final class ReactiveCarriedTokenFilter implements WebFilter {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveCarriedTokenFilter.class);
    private static final String CARRIED = ReactiveCarriedTokenFilter.class.getName() + ".CARRIED";

    private final CarriedTokens tokens;
    private final UnforgeableRequests unforgeable;
    private final RequestContexts contexts;
    private final AtomicBoolean isTold = new AtomicBoolean();

    ReactiveCarriedTokenFilter(CarriedTokens tokens, UnforgeableRequests unforgeable, RequestContexts contexts) {
        this.tokens = tokens;
        this.unforgeable = unforgeable;
        this.contexts = contexts;
    }

    /** Whether the token of this request was in a cookie. */
    static boolean hasCarried(ServerWebExchange exchange) {
        return exchange.getAttribute(CARRIED) != null;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.deferContextual(subscriber -> {
            RequestContext context =
                    contexts.of(ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, subscriber));
            Optional<String> token = tokens.in(context);
            boolean usesCookies = token.isPresent() || LoginCookies.areAskedBy(ReactiveHeaders.of(exchange));
            boolean isForgeable =
                    exchange.getAttribute(CsrfToken.class.getName()) == null && !unforgeable.contain(context);
            if (usesCookies && isForgeable) {
                return refuse(exchange);
            }
            return chain.filter(token.isEmpty() ? exchange : withToken(exchange, token.get()));
        });
    }

    private Mono<Void> refuse(ServerWebExchange exchange) {
        if (!isTold.getAndSet(true)) {
            LOG.error(
                    "A request with cookies was refused, because csrf(…) is disabled in the filter chain: a page of another origin"
                            + " could use the cookies. Enable csrf(…), or call addTo(http) without cookies.");
        }
        return ReactiveAnswers.write(Answer.of(Problem.INTERNAL_SERVER_ERROR), exchange);
    }

    private static ServerWebExchange withToken(ServerWebExchange exchange, String token) {
        exchange.getAttributes().put(CARRIED, true);
        return exchange.mutate()
                .request(request ->
                        request.headers(headers -> headers.set(HttpHeaders.AUTHORIZATION, "Bearer " + token)))
                .build();
    }
}
