package dev.latchkey.throttle.spring;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A reactive response with its body at the rate of a throttle. */
final class ReactiveThrottledResponse extends ServerHttpResponseDecorator {

    private final ReactiveThrottledBody pieces;

    ReactiveThrottledResponse(ServerHttpResponse response, ReactiveThrottledBody pieces) {
        super(response);
        this.pieces = pieces;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return write(pieces.of(body));
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> bodies) {
        return write(Flux.from(bodies).concatMap(pieces::of, 0));
    }

    /**
     * Each piece is flushed, because the piece has waited long enough. The response is committed when the first piece
     * passes.
     */
    private Mono<Void> write(Flux<DataBuffer> passed) {
        return getDelegate().writeAndFlushWith(passed.map(Mono::just));
    }

    /**
     * Answers the refusal, if the throttle refused the body before its first byte. Otherwise fails with the service's
     * failure: the server closes the connection, so the client cannot mistake the body for a complete body.
     *
     * @param exchange with the original response
     */
    Mono<Void> answerRefusal(Throwable failure, ServerWebExchange exchange) {
        Optional<ThrottleRefusal> refusal = pieces.refusal();
        if (refusal.isEmpty() || isCommitted()) {
            return Mono.error(failure);
        }
        removeFieldsOfTheBody();
        return ReactiveExchanges.refuse(exchange, refusal.get());
    }

    /** By methods that are equal in Spring Framework 6 and 7. */
    private void removeFieldsOfTheBody() {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        getHeaders().forEach((name, values) -> {
            if (!ThrottleRefusal.isOfTheBody(name)) {
                kept.put(name, List.copyOf(values));
            }
        });
        getHeaders().clear();
        kept.forEach((name, values) -> values.forEach(value -> getHeaders().add(name, value)));
    }
}
