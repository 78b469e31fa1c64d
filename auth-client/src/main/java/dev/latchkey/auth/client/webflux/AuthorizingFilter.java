package dev.latchkey.auth.client.webflux;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Shows an authorizer's credentials with each request for one of its origins, and sends a request once more that was answered with 401, where there is something else to
 * show. Requests for other origins, and those that have an {@code Authorization} of their own, pass as they are.
 *
 * <p>Bodies of up to 64 KiB are kept while they are written, and can be sent again without asking their source twice. Connectors must not follow redirects to other
 * origins with all header fields; neither Reactor Netty's nor the JDK's does by default.
 *
 * <p>The answer fails with a {@link dev.latchkey.auth.client.LoginFailedException} where there is nothing to show. Blocks no thread. Safe for use by any number of threads.
 */
public final class AuthorizingFilter implements ExchangeFilterFunction {

    private static final int UNAUTHORIZED = 401;

    private final Authorizer authorizer;

    private AuthorizingFilter(Authorizer authorizer) {
        this.authorizer = Objects.requireNonNull(authorizer, "authorizer");
    }

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
                    .flatMap(response -> response.statusCode().value() == UNAUTHORIZED
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
        return refusal.releaseBody()
                .then(Mono.fromFuture(renewal.get()))
                .flatMap(again ->
                        next.exchange(authorized(ClientRequest.from(request).body(body.again()), again)));
    }

    private static ClientRequest authorized(ClientRequest.Builder request, Authorization shown) {
        return request.headers(headers -> headers.set(Authorization.FIELD, shown.fieldValue()))
                .build();
    }
}
