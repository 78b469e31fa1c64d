package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes a {@link Problem} to a reactive response. */
final class ReactiveProblems {

    private ReactiveProblems() {}

    static Mono<Void> write(Problem problem, ServerWebExchange exchange) {
        byte[] body = problem.body().getBytes(StandardCharsets.US_ASCII);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setCacheControl("no-store");
        headers.setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    static Mono<Void> write(BearerChallenge challenge, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().set("WWW-Authenticate", challenge.field());
        return write(Problem.UNAUTHORIZED, exchange);
    }

    /** 503 for an outage and for overload, 429 for a caller over its own limit; with {@code Retry-After} in seconds. */
    static Mono<Void> writeUnavailable(AuthUnavailableException cause, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().set("Retry-After", Problem.retryAfter(cause));
        return write(Problem.of(cause), exchange);
    }
}
