package dev.latchkey.auth.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A body up to its bound, and no byte of a longer body. */
class BoundedBodyTest {

    private final BoundedBody bounded = new BoundedBody(4);
    private final CompletableFuture<byte[]> body = bounded.getBody().toCompletableFuture();
    private final NotedSubscription subscription = new NotedSubscription();

    private void come(int... lengths) {
        for (int length : lengths) {
            bounded.onNext(List.of(ByteBuffer.allocate(length)));
        }
    }

    @Test
    void bodyOfTheBound_isWhole() {
        bounded.onSubscribe(subscription);
        assertThat(subscription.requested()).isPositive();
        come(1, 3);
        assertThat(body).isNotDone();
        bounded.onComplete();
        assertThat(body.join()).hasSize(4);
        assertThat(subscription.isCancelled()).isFalse();
    }

    @Test
    void longerBody_countsAsEmpty_andEndsItsConnection() {
        bounded.onSubscribe(subscription);
        come(1, 4);
        assertThat(subscription.isCancelled()).isTrue();
        assertThat(body.join()).isEmpty();
    }

    @Test
    void bodyThatBreaks_fails() {
        bounded.onSubscribe(subscription);
        bounded.onError(new IOException("reset"));
        assertThatThrownBy(body::join).hasRootCauseMessage("reset");
    }
}
