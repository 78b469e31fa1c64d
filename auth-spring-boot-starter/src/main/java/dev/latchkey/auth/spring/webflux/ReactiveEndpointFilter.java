package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.EndpointFailures;
import dev.latchkey.auth.spring.endpoint.EndpointRequest;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.ReadForm;
import dev.latchkey.auth.spring.http.RequestContexts;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Serves an endpoint before the chain's authorization rules, like Spring's own login filters. The path needs no permit rule, and
 * no rule of the service can block logins.
 */
final class ReactiveEndpointFilter implements WebFilter {

    private static final byte[] NOTHING = {};
    private static final byte[] TOO_LONG = new byte[EndpointRequest.MAX_BODY_BYTES + 1];

    private final AuthEndpoint endpoint;
    private final ReactiveWork work;
    private final ReactiveRefusals refusals;
    private final RequestContexts contexts;
    private final ServerWebExchangeMatcher matcher;
    private final boolean leavesCookiesToAnother;
    private final @Nullable LoginCookies cookies;

    ReactiveEndpointFilter(
            AuthEndpoint endpoint, ReactiveWork work, ReactiveRefusals refusals, RequestContexts contexts) {
        this(endpoint, work, refusals, contexts, false, null);
    }

    private ReactiveEndpointFilter(
            AuthEndpoint endpoint,
            ReactiveWork work,
            ReactiveRefusals refusals,
            RequestContexts contexts,
            boolean leavesCookiesToAnother,
            @Nullable LoginCookies cookies) {
        this.leavesCookiesToAnother = leavesCookiesToAnother;
        this.cookies = cookies;
        this.endpoint = endpoint;
        this.work = work;
        this.refusals = refusals;
        this.contexts = contexts;
        this.matcher = new PathPatternParserServerWebExchangeMatcher(endpoint.path());
    }

    /** The same filter for a chain with cookies: another filter, behind the CSRF filter, answers requests for cookies. */
    ReactiveEndpointFilter leavingCookies() {
        return new ReactiveEndpointFilter(endpoint, work, refusals, contexts, true, null);
    }

    /** The same filter, only for requests that ask for cookies. */
    ReactiveEndpointFilter inCookies(LoginCookies carrier) {
        return new ReactiveEndpointFilter(endpoint, work, refusals, contexts, false, carrier);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        boolean isForCookies = LoginCookies.areAskedBy(ReactiveHeaders.of(exchange));
        boolean isForAnother = cookies == null ? leavesCookiesToAnother && isForCookies : !isForCookies;
        boolean isServed = !isForAnother
                && endpoint.serves(exchange.getRequest().getMethod().name());
        return isServed ? answerOrGoOn(exchange, chain) : chain.filter(exchange);
    }

    private Mono<Void> answerOrGoOn(ServerWebExchange exchange, WebFilterChain chain) {
        return matcher.matches(exchange)
                .flatMap(match -> match.isMatch() ? answer(exchange, match.getVariables()) : chain.filter(exchange));
    }

    private Mono<Void> answer(ServerWebExchange exchange, Map<String, Object> variables) {
        return Mono.deferContextual(subscriber -> bodyOf(exchange)
                .map(body -> answer(requestOf(exchange, variables, subscriber, body))
                        .flatMap(answer -> ReactiveAnswers.write(answer, exchange)))
                .onErrorResume(failure -> Mono.just(
                        answerToBrokenBody(failure, requestOf(exchange, variables, subscriber, NOTHING), exchange)))
                .flatMap(answered -> answered));
    }

    /** The client may have left, and the server may have answered. */
    private Mono<Void> answerToBrokenBody(Throwable failure, EndpointRequest request, ServerWebExchange exchange) {
        return ReactiveAnswers.write(EndpointFailures.answerToBrokenBody(failure, endpoint, request), exchange)
                .onErrorComplete();
    }

    private EndpointRequest requestOf(
            ServerWebExchange exchange, Map<String, Object> variables, ContextView subscriber, byte[] body) {
        EndpointRequest request = new EndpointRequest(
                contexts.of(ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, subscriber)),
                texts(variables),
                exchange.getRequest().getURI().getRawQuery(),
                body);
        return cookies == null ? request : request.inCookies(cookies);
    }

    private Mono<Answer> answer(EndpointRequest request) {
        return work.run(() -> endpoint.answer(request))
                .onErrorResume(failure ->
                        refusals.hold(failure).thenReturn(EndpointFailures.answerTo(failure, endpoint, request)));
    }

    /** Of a longer body, one byte more than the endpoint reads. The server handles the rest. */
    private Mono<byte[]> bodyOf(ServerWebExchange exchange) {
        if (!endpoint.readsBody() || EndpointRequest.announcesTooMuch(ReactiveHeaders.of(exchange))) {
            return Mono.just(NOTHING);
        }
        return DataBufferUtils.join(exchange.getRequest().getBody(), EndpointRequest.MAX_BODY_BYTES)
                .map(ReactiveEndpointFilter::bytesOf)
                .onErrorReturn(DataBufferLimitException.class, TOO_LONG)
                .onErrorResume(
                        IllegalStateException.class, failure -> isForm(exchange) ? Mono.empty() : Mono.error(failure))
                .switchIfEmpty(Mono.defer(() -> readFormOf(exchange)));
    }

    /**
     * The exchange keeps the form fields for all readers. The second reading of a body is empty on Netty, and fails on Tomcat and
     * Jetty. Without an earlier reader, the empty body is read again. This may fail.
     */
    private static Mono<byte[]> readFormOf(ServerWebExchange exchange) {
        return isForm(exchange)
                ? exchange.getFormData().map(ReadForm::bodyOf).onErrorReturn(NOTHING)
                : Mono.just(NOTHING);
    }

    private static boolean isForm(ServerWebExchange exchange) {
        return ReadForm.isForm(ReactiveHeaders.of(exchange));
    }

    private static Map<String, String> texts(Map<String, Object> variables) {
        return variables.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> String.valueOf(each.getValue())));
    }

    private static byte[] bytesOf(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }
}
