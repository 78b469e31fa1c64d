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
     * Writes an answer, on another thread than the event loop.
     *
     * <p>Reactor Netty 1.3 may hold a request until the previous request on its connection has ended. If the answer comes before
     * the request is handed over completely, nothing reads from the connection again, and the client's next request is lost.
     *
     * @param answer written once for each subscriber
     * @param exchange with a response without sent data
     * @return completes when the answer is written
     */
    public static Mono<Void> write(Answer answer, ServerWebExchange exchange) {
        return Mono.defer(() -> writeNow(answer, exchange)).subscribeOn(Schedulers.parallel());
    }

    /**
     * Fails on another thread than the event loop, so that the error's answer is written there too. {@link #write} has the
     * reason.
     *
     * @param <T> the type of the missing value
     * @param failure the exception
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
        answer.cookies().forEach(cookie -> headers.add(HttpHeaders.SET_COOKIE, cookie));
        byte[] body = answer.body();
        if (body.length == 0) {
            return response.setComplete();
        }
        headers.setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
