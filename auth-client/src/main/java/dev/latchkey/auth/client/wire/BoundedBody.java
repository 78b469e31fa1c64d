package dev.latchkey.auth.client.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** A body with a maximum size; newer JDKs have {@code BodySubscribers.limiting}. */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    @Nullable
    private Subscription subscription;

    /**
     * A body of at most {@code maxBytes}; a longer body fails.
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
        if (subscription != null) {
            subscription.cancel();
        }
        body.completeExceptionally(new IOException("The answer has more than " + maxBytes + " bytes"));
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
