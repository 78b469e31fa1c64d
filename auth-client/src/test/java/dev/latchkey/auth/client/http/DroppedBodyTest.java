package dev.latchkey.auth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.client.wire.NotedSubscription;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The body of a refused request: read to its end if it is short and comes soon, and cut off otherwise. */
class DroppedBodyTest {

    private static final long LIMIT_SECONDS = 30;

    private final DroppedBody<String> body = new DroppedBody<>();
    private final NotedSubscription subscription = new NotedSubscription();

    @Test
    void answer_doesNotWaitForIt() {
        assertThat(body.getBody().toCompletableFuture()).isCompletedWithValue(null);
    }

    @Test
    void shortBody_isReadToItsEnd_soThatItsConnectionIsUsedAgain() {
        body.onSubscribe(subscription);
        assertThat(subscription.requested()).isPositive();
        body.onNext(List.of(ByteBuffer.allocate(1 << 15), ByteBuffer.allocate(1 << 15)));
        assertThat(subscription.isCancelled()).isFalse();
    }

    @Test
    void longBody_endsItsConnection() {
        body.onSubscribe(subscription);
        body.onNext(List.of(ByteBuffer.allocate(1 << 16)));
        body.onNext(List.of(ByteBuffer.allocate(1)));
        assertThat(subscription.isCancelled()).isTrue();
    }

    @Test
    void slowBody_endsItsConnection_andABodyThatEndedInTimeDoesNot() throws Exception {
        body.onSubscribe(subscription);
        body.onComplete();
        DroppedBody<String> slow = new DroppedBody<>();
        NotedSubscription later = new NotedSubscription();
        slow.onSubscribe(later);
        slow.onNext(List.of(ByteBuffer.allocate(1)));
        assertThat(later.awaitCancel(LIMIT_SECONDS)).isTrue();
        assertThat(subscription.isCancelled()).isFalse();
    }
}
