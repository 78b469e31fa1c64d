package dev.latchkey.auth.spring;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes an {@link Answer} to a reactive response. */
final class ReactiveAnswers {

    private ReactiveAnswers() {}

    static Mono<Void> write(Answer answer, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        HttpHeaders headers = response.getHeaders();
        answer.headers().forEach(headers::set);
        byte[] body = answer.body();
        if (body.length == 0) {
            return response.setComplete();
        }
        headers.setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
