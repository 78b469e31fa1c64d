package dev.latchkey.auth.spring.http;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Writes an {@link Answer} to a reactive response. */
public final class ReactiveAnswers {

    private ReactiveAnswers() {}

    /**
     * Writes an answer, on another thread than the one that brought the request.
     *
     * <p>Reactor Netty 1.3 may keep a request back until the one before it on its connection has ended. If it is then answered before it has been
     * handed over whole, nothing asks that connection for more, and the client's next request is never read.
     *
     * @param answer written once for each subscriber
     * @param exchange of whose response nothing has been sent
     * @return completes when the answer is written
     */
    public static Mono<Void> write(Answer answer, ServerWebExchange exchange) {
        return Mono.defer(() -> writeNow(answer, exchange)).subscribeOn(Schedulers.parallel());
    }

    /**
     * Fails, on another thread than the one that brought the request: what answers the failure then does so there, for the reason of {@link #write}.
     *
     * @param <T> of the value that does not come
     * @param failure as it is passed on
     * @return has no value
     */
    public static <T> Mono<T> fail(Throwable failure) {
        return Mono.<T>error(failure).subscribeOn(Schedulers.parallel());
    }

    private static Mono<Void> writeNow(Answer answer, ServerWebExchange exchange) {
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
