package dev.latchkey.auth.client.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Discards a body, so that the answer is complete with its head. A short body is read to the end, so that the
 * connection can be used again. For a long body, a new connection costs less.
 */
final class DroppedBody<T> implements BodySubscriber<T> {

    private static final int MOST_BYTES = 1 << 16;

    @Nullable
    private Subscription subscription;

    private long passed;

    @Override
    @SuppressWarnings("NullAway") // the caller gets another answer and never sees this body
    public CompletionStage<T> getBody() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            passed += piece.remaining();
        }
        if (passed > MOST_BYTES && subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        // No caller waits for the result.
    }

    @Override
    public void onComplete() {
        // No caller waits for the result.
    }
}
