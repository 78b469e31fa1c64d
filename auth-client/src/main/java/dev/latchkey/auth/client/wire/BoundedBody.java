package dev.latchkey.auth.client.wire;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A body with a maximum size. A longer body is cut off and counts as empty, so that the caller still gets the status.
 * {@code BodySubscribers.limiting} of newer JDKs fails with an {@code IOException}, like a broken connection. The client
 * would then send the login again.
 */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    @Nullable
    private Subscription subscription;

    /**
     * A body of at most {@code maxBytes}; a longer body counts as empty.
     *
     * @param maxBytes of the body on the wire
     */
    public BoundedBody(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            if (bytes.size() + piece.remaining() > maxBytes) {
                cancel();
                return;
            }
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            bytes.writeBytes(copy);
        }
    }

    private void cancel() {
        // First: a cancelled subscription may call onError.
        body.complete(new byte[0]);
        if (subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
