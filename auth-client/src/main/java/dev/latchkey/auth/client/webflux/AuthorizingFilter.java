package dev.latchkey.auth.client.webflux;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Adds an authorizer's credentials to each request for the authorizer's origins. After a rejection, the filter sends
 * the request once more with new credentials, if there are any. Requests for other origins and requests with their own
 * {@code Authorization} stay unchanged.
 *
 * <p>Bodies of up to 64 KiB are kept during sending, so that the filter can repeat them without a second subscription
 * to their source. The connector must not follow redirects to other origins with all header fields. Reactor Netty's and
 * the JDK's connectors do not follow such redirects by default.
 *
 * <p>The answer fails with a {@link dev.latchkey.auth.client.LoginFailedException} if there are no credentials. Blocks
 * no thread. Safe for use by any number of threads.
 */
public final class AuthorizingFilter implements ExchangeFilterFunction {

    /**
     * Limits on reading a rejecting answer, so that its connection can be used again. For a longer or slower body, a
     * new connection costs less.
     */
    private static final int MOST_BYTES = 1 << 16;

    private static final Duration MOST_TIME = Duration.ofSeconds(1);

    private final Authorizer authorizer;

    private AuthorizingFilter(Authorizer authorizer) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

    /**
     * A filter for {@code WebClient.Builder.filter}.
     *
     * @param authorizer supplies the credentials and their origins
     * @return a filter for any number of clients
     */
    public static AuthorizingFilter with(Authorizer authorizer) {
        return new AuthorizingFilter(authorizer);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (!authorizer.isFor(request.url()) || request.headers().getFirst(Authorization.FIELD) != null) {
            return next.exchange(request);
        }
        return Mono.fromFuture(authorizer::current).flatMap(shown -> {
            KeptBody body = new KeptBody(request.body());
            return next.exchange(authorized(ClientRequest.from(request).body(body), shown))
                    .flatMap(response ->
                            authorizer.isRefusal(response.statusCode().value())
                                    ? afterRefusal(request, body, shown, response, next)
                                    : Mono.just(response));
        });
    }

    private Mono<ClientResponse> afterRefusal(
            ClientRequest request, KeptBody body, Authorization shown, ClientResponse refusal, ExchangeFunction next) {
        if (!body.isWhole()) {
            authorizer.leftRefused(shown);
            return Mono.just(refusal);
        }
        Optional<CompletableFuture<Authorization>> renewal = authorizer.renewalOf(shown);
        if (renewal.isEmpty()) {
            return Mono.just(refusal);
        }
        return dropped(refusal)
                .then(Mono.fromFuture(renewal.get()))
                .flatMap(again ->
                        next.exchange(authorized(ClientRequest.from(request).body(body.again()), again)));
    }

    private static Mono<Void> dropped(ClientResponse refusal) {
        AtomicInteger passed = new AtomicInteger();
        return refusal.bodyToFlux(DataBuffer.class)
                .map(piece -> {
                    int length = piece.readableByteCount();
                    DataBufferUtils.release(piece);
                    return passed.addAndGet(length);
                })
                .takeUntil(length -> length > MOST_BYTES)
                .take(MOST_TIME)
                .onErrorComplete()
                .then();
    }

    private static ClientRequest authorized(ClientRequest.Builder request, Authorization shown) {
        return request.headers(headers -> headers.set(Authorization.FIELD, shown.fieldValue()))
                .build();
    }
}
