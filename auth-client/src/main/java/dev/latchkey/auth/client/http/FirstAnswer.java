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
 * Decides from the head of the first answer whether a retry follows. The caller's handler sees only the body of the
 * final answer.
 */
final class FirstAnswer<T> implements BodyHandler<T> {

    private final Authorizer authorizer;
    private final Authorization shown;
    private final HttpRequest request;
    private final BodyHandler<T> handler;

    /** Written by a thread of the client, before the answer is complete. */
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

    /**
     * Whether the body can be sent again. A body of known length is in memory or in a file. A body of unknown length
     * may come from a used-up stream.
     */
    private boolean isRepeatable() {
        return request.bodyPublisher().filter(body -> body.contentLength() < 0).isEmpty();
    }

    /** The credentials for the retry; empty if there is none. Valid after the answer is complete. */
    Optional<CompletableFuture<Authorization>> renewal() {
        return Optional.ofNullable(renewal);
    }
}
