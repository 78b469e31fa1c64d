package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.throttle.ThrottleResult;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The WebFlux counterpart of {@link ThrottleFilter}: limits requests, and the bodies of responses, to the rates of the
 * throttles for their path.
 *
 * <p>Never blocks: a waiting request is an entry in a queue. After a wait, the request continues on a parallel thread
 * of Reactor, because the throttle completes its futures on a timer shared by all requests.
 */
final class ReactiveThrottleFilter implements WebFilter, Ordered {

    /** Spring Security's filters have the order -100. Behind these filters, the user is known. */
    private static final int BEHIND_SECURITY = -90;

    /** By name, because a service may run without Spring Security. */
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private final List<ThrottleRule> rules;
    private final TrustedProxies proxies;
    private final GuardTime time;
    private final CallerNames names;
    private final ApplicationContext service;

    /** @param service the context of the throttled requests */
    ReactiveThrottleFilter(
            Collection<ThrottleRule> rules,
            TrustedProxies proxies,
            GuardTime time,
            CallerNames names,
            ApplicationContext service) {
        this.rules = List.copyOf(rules);
        this.proxies = proxies;
        this.time = time;
        this.names = names;
        this.service = service;
    }

    @Override
    public int getOrder() {
        return BEHIND_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (isOfAnotherServer(exchange)) {
            return chain.filter(exchange);
        }
        String path = pathOf(exchange);
        List<ThrottleRule> matching =
                rules.stream().filter(rule -> rule.isFor(path)).toList();
        if (matching.isEmpty()) {
            return chain.filter(exchange);
        }
        ClientSource source = ReactiveExchanges.sourceOf(exchange, proxies);
        return exchange.getPrincipal()
                .filter(principal -> !principal.getClass().getName().equals(ANONYMOUS))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(principal -> pass(matching, names.of(principal.orElse(null)), source, exchange, chain))
                // The inner publisher is subscribed here, so its errors pass outside of the throttle's operators.
                .flatMap(Function.identity());
    }

    /**
     * The actuator's own port is a server in a child context, and uses the filters of the service too. A filter of a servlet
     * service is not there.
     */
    private boolean isOfAnotherServer(ServerWebExchange exchange) {
        ApplicationContext context = exchange.getApplicationContext();
        return context != null && !context.equals(service);
    }

    /** The next action: the service, or the refusal by the first request-counting throttle without room. */
    private Mono<Mono<Void>> pass(
            List<ThrottleRule> matching,
            @Nullable String principal,
            ClientSource source,
            ServerWebExchange exchange,
            WebFilterChain chain) {
        RequestThrottle throttle = RequestThrottle.begin(matching, principal, source, true);
        Mono<ThrottleResult> result = Mono.fromFuture(throttle.result());
        return (throttle.result().isDone() ? result : result.publishOn(Schedulers.parallel()))
                .map(answer -> answer.fold(
                        passed -> {
                            HttpHeaders headers = exchange.getResponse().getHeaders();
                            throttle.fields().forEach(each -> each.addTo(headers::add));
                            return respond(matching, principal, source, exchange, chain);
                        },
                        refused -> ReactiveExchanges.refuse(exchange, throttle.refusal(refused))));
    }

    private Mono<Void> respond(
            List<ThrottleRule> matching,
            @Nullable String principal,
            ClientSource source,
            ServerWebExchange exchange,
            WebFilterChain chain) {
        List<ThrottleRule> counting = BodyThrottle.counting(matching);
        // The body of a response to HEAD is never sent.
        if (counting.isEmpty() || HttpMethod.HEAD.equals(exchange.getRequest().getMethod())) {
            return chain.filter(exchange);
        }
        ReactiveThrottledResponse throttled = new ReactiveThrottledResponse(
                exchange.getResponse(), new ReactiveThrottledBody(BodyThrottle.of(counting, principal, source), time));
        return chain.filter(exchange.mutate().response(throttled).build())
                .onErrorResume(failure -> throttled.answerRefusal(failure, exchange));
    }

    /** The path for handler matching: decoded, without parameters. An encoded slash does not separate segments. */
    private static String pathOf(ServerWebExchange exchange) {
        StringBuilder path = new StringBuilder();
        for (PathContainer.Element element :
                exchange.getRequest().getPath().pathWithinApplication().elements()) {
            path.append(
                    element instanceof PathSegment segment
                            ? segment.valueToMatch().replace('/', '_')
                            : element.value());
        }
        return path.toString();
    }
}
