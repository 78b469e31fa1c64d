package dev.latchkey.auth.client.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;

/**
 * Discards a body, so that the answer is complete with its head. A short body is read to the end, so that the
 * connection can be used again. For a longer or slower body, a new connection costs less.
 */
final class DroppedBody<T> implements BodySubscriber<T> {

    private static final int MOST_BYTES = 1 << 16;

    private static final long MOST_SECONDS = 1;

    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private long passed;

    @Override
    @SuppressWarnings("NullAway") // the caller gets another answer and never sees this body
    public CompletionStage<T> getBody() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for the end
    public void onSubscribe(Subscription subscription) {
        end.orTimeout(MOST_SECONDS, TimeUnit.SECONDS).whenComplete((ended, tooLongOrTooSlow) -> {
            if (tooLongOrTooSlow != null) {
                subscription.cancel();
            }
        });
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            passed += piece.remaining();
        }
        if (passed > MOST_BYTES) {
            end.cancel(false);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        onComplete();
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }
}
