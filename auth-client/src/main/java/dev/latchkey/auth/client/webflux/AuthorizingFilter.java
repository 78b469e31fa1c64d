package dev.latchkey.auth.client.webflux;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Adds an authorizer's credentials to each request for the authorizer's origins. After a rejection, the filter sends
 * the request once more with new credentials, if there are any. Requests for other origins and requests with their own
 * {@code Authorization} stay unchanged.
 *
 * <p>A filter does not see redirects of the connector. Such redirects may carry all header fields to any origin.
 * Therefore {@link #with} sets a connector that follows no redirects. Spring Boot's own connectors follow redirects by
 * default. If another connector replaces this connector, each request with credentials fails before sending.
 *
 * <p>The filter keeps bodies of up to 64 KiB during sending. So the filter can repeat a request without a second
 * subscription to the source of the body. A request with a longer body or a streamed body is not repeated. Without
 * credentials, the {@code Mono} of the response fails with a {@link dev.latchkey.auth.client.LoginFailedException}.
 * Blocks no thread. Safe for use by any number of threads.
 */
public final class AuthorizingFilter implements ExchangeFilterFunction {

    /**
     * Limits on reading the body of a rejection. The filter reads the body, so that the connection can be used again.
     * For a longer or slower body, a new connection costs less.
     */
    private static final int MOST_BYTES = 1 << 16;

    private static final Duration MOST_TIME = Duration.ofSeconds(1);

    private final Authorizer authorizer;

    /** Runs before the request is sent, and throws if the connector of the request may follow redirects. */
    private final Consumer<ClientHttpRequest> check;

    private AuthorizingFilter(Authorizer authorizer, Consumer<ClientHttpRequest> check) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
        this.check = check;
    }

    /**
     * For {@link WebClient.Builder#apply}: this filter, and a connector that keeps connections alive and follows no
     * redirects. The connector has a time limit of 5 seconds to connect, and no time limit for an answer. Requests to
     * this machine pass no proxy.
     *
     * <p>A request with credentials over another connector fails with an {@link IllegalStateException}, possibly as the
     * cause of a {@code WebClientRequestException}. Nothing is sent.
     *
     * @param authorizer supplies the credentials and their origins
     * @return a function that replaces the connector of the given builder and adds the filter
     */
    public static Consumer<WebClient.Builder> with(Authorizer authorizer) {
        AuthorizingFilter filter = new AuthorizingFilter(authorizer, NoRedirectConnector::requireRequestOfThis);
        return client -> client.clientConnector(NoRedirectConnector.create()).filter(filter);
    }

    /**
     * Creates a filter for a client with its own connector. The connector must follow no redirects: otherwise
     * credentials go to the redirect's target. For plain HTTP to this machine, the connector must use no proxy:
     * otherwise the proxy can read the credentials. The filter checks neither.
     *
     * @param authorizer supplies the credentials and their origins
     * @return a filter for any number of clients
     */
    public static AuthorizingFilter whereNoRedirectIsFollowed(Authorizer authorizer) {
        return new AuthorizingFilter(authorizer, request -> {});
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

    /** The builder adds the check to the caller's own {@code httpRequest} consumer. */
    private ClientRequest authorized(ClientRequest.Builder request, Authorization shown) {
        return request.headers(headers -> headers.set(Authorization.FIELD, shown.fieldValue()))
                .httpRequest(check)
                .build();
    }
}
