package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.http.ProofDecision;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.TokenHeader;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers a request with a token if the proof of its login is too old. Runs after the filter for all other denials. */
final class ReactiveProofFilter implements WebFilter {

    private final TokenHeader header;

    ReactiveProofFilter(TokenHeader header) {
        this.header = header;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Mono<Void> rest = chain.filter(exchange);
        return header.isIn(ReactiveHeaders.of(exchange))
                ? rest.onErrorResume(
                        AuthorizationDeniedException.class,
                        denied -> ProofDecision.answerTo(denied)
                                .map(answer -> ReactiveAnswers.write(answer, exchange))
                                .orElseGet(() -> Mono.error(denied)))
                : rest;
    }
}
