package dev.latchkey.auth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** The body of a refused request: read to its end if it is short, and cut off otherwise. */
class DroppedBodyTest {

    private final DroppedBody<String> body = new DroppedBody<>();
    private boolean isCancelled;
    private long requested;

    private void begin() {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long pieces) {
                requested = pieces;
            }

            @Override
            public void cancel() {
                isCancelled = true;
            }
        });
    }

    @Test
    void answer_doesNotWaitForIt() {
        assertThat(body.getBody().toCompletableFuture()).isCompletedWithValue(null);
    }

    @Test
    void shortBody_isReadToItsEnd_soThatItsConnectionIsUsedAgain() {
        begin();
        assertThat(requested).isPositive();
        body.onNext(List.of(ByteBuffer.allocate(1 << 15), ByteBuffer.allocate(1 << 15)));
        assertThat(isCancelled).isFalse();
    }

    @Test
    void longBody_endsItsConnection() {
        begin();
        body.onNext(List.of(ByteBuffer.allocate(1 << 16)));
        body.onNext(List.of(ByteBuffer.allocate(1)));
        assertThat(isCancelled).isTrue();
    }
}
