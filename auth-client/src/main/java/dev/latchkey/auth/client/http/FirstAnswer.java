package dev.latchkey.auth.client.http;

import dev.latchkey.auth.client.Authorization;
import dev.latchkey.auth.client.Authorizer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the head of the first answer whether another attempt follows. The caller's handler is shown the body of the answer that he gets,
 * and of no other.
 */
final class FirstAnswer<T> implements BodyHandler<T> {

    private final Authorizer authorizer;
    private final Authorization shown;
    private final HttpRequest request;
    private final BodyHandler<T> handler;

    /** Written by a thread of the client, before the answer is there. */
    @Nullable
    private volatile CompletableFuture<Authorization> renewal;

    FirstAnswer(Authorizer authorizer, Authorization shown, HttpRequest request, BodyHandler<T> handler) {
        this.authorizer = authorizer;
        this.shown = shown;
        this.request = request;
        this.handler = handler;
    }

    @Override
    public BodySubscriber<T> apply(ResponseInfo head) {
        if (!authorizer.isRefusal(head.statusCode())) {
            return handler.apply(head);
        }
        if (!isRepeatable()) {
            authorizer.leftRefused(shown);
            return handler.apply(head);
        }
        renewal = authorizer.renewalOf(shown).orElse(null);
        return renewal == null ? handler.apply(head) : new DroppedBody<>();
    }

    /** A body of a known length is in memory or in a file; one of an unknown length may come from a stream that is used up. */
    private boolean isRepeatable() {
        return request.bodyPublisher().filter(body -> body.contentLength() < 0).isEmpty();
    }

    /** What the next attempt shows; empty where there is none. To be asked when the answer is there. */
    Optional<CompletableFuture<Authorization>> renewal() {
        return Optional.ofNullable(renewal);
    }
}
