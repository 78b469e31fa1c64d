package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.http.ProofDecision;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers a request if the proof of its login is too old, as on servlets. Runs after the filter for all other denials. */
final class ReactiveProofFilter implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange)
                .onErrorResume(
                        AuthorizationDeniedException.class,
                        // Without any login, the service asks for one.
                        denied -> exchange.getPrincipal()
                                .flatMap(login -> Mono.justOrEmpty(ProofDecision.answerTo(denied)))
                                .switchIfEmpty(Mono.error(denied))
                                .flatMap(answer -> ReactiveAnswers.write(answer, exchange)));
    }
}
