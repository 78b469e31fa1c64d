package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.Throttle;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottledWriteListenerTest {

    private static final int PIECE = 100;
    private static final ThrottleResult PASSED = new ThrottleResult.Passed(Duration.ZERO, ThrottleScope.SOURCE, 1);

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> called = new CompletableFuture<>();
    private final BlockingQueue<CompletableFuture<ThrottleResult>> questions = new LinkedBlockingQueue<>();
    private final AtomicLong asked = new AtomicLong();

    private ThrottledWriteListener listener(ThrottleSettings settings, GuardTime time) {
        BucketRate oneADay = new BucketRate(1, Duration.ofDays(1), 1);
        Throttle throttle = Throttle.of(settings.withRate(ThrottleScope.SOURCE, oneADay), time);
        return new ThrottledWriteListener(
                new ServersStream(new AlwaysReady()),
                throttle.client(ClientSource.of("192.0.2.1").orElseThrow())::acquire,
                PIECE,
                new WriteListener() {
                    @Override
                    public void onWritePossible() {}

                    @Override
                    public void onError(Throwable cause) {
                        failure.complete(cause);
                    }
                });
    }

    @Test
    void refusedAtOnce_isNotReadyAndEndsTheBody() throws Exception {
        try (GuardTime time = GuardTime.start()) {
            ThrottledWriteListener listener = listener(
                    ThrottleSettings.named("full")
                            .withWaiting(Duration.ofHours(1))
                            .withMaxWaiting(0),
                    time);
            listener.write(new byte[10], 0, 10);
            assertThat(listener.isReady()).isFalse();
            assertThat(failure.get(10, TimeUnit.SECONDS)).isInstanceOf(BodyThrottle.CutOffException.class);
        }
    }

    @Test
    void whileItOwes_itIsNotReadyHoweverOftenItIsAsked() throws Exception {
        try (GuardTime time = GuardTime.start()) {
            ThrottledWriteListener listener =
                    listener(ThrottleSettings.named("slow").withWaiting(Duration.ofHours(1)), time);
            listener.write(new byte[10], 0, 10);
            assertThat(listener.isReady()).isFalse();
            assertThat(listener.isReady()).isFalse();
        }
    }

    /** The throttle's answers are the test's. */
    private ThrottledWriteListener answered() {
        return new ThrottledWriteListener(
                new ServersStream(new AlwaysReady()),
                bytes -> {
                    asked.addAndGet(bytes);
                    CompletableFuture<ThrottleResult> question = new CompletableFuture<>();
                    questions.add(question);
                    return question;
                },
                PIECE,
                new WriteListener() {
                    @Override
                    public void onWritePossible() {
                        called.complete(null);
                    }

                    @Override
                    public void onError(Throwable cause) {
                        failure.complete(cause);
                    }
                });
    }

    private CompletableFuture<ThrottleResult> nextQuestion() throws InterruptedException {
        CompletableFuture<ThrottleResult> next = questions.poll(10, TimeUnit.SECONDS);
        assertThat(next).as("a question to the throttle").isNotNull();
        return next;
    }

    @Test
    void firstWrite_waitsUntilAPieceIsPaid() throws Exception {
        ThrottledWriteListener listener = answered();
        listener.onWritePossible();
        assertThat(listener.isReady()).isFalse();
        assertThat(called).isNotDone();
        nextQuestion().complete(PASSED);
        called.get(10, TimeUnit.SECONDS);
        assertThat(listener.isReady()).isTrue();
        assertThat(asked).hasValue(PIECE);
    }

    @Test
    void writeBeyondThePiece_isPaidPieceByPiece_beforeTheEnd() throws Exception {
        ThrottledWriteListener listener = answered();
        assertThat(listener.isReady()).isFalse();
        nextQuestion().complete(PASSED);
        called.get(10, TimeUnit.SECONDS);
        listener.write(new byte[3 * PIECE], 0, 3 * PIECE);
        CompletableFuture<Void> settled = new CompletableFuture<>();
        assertThat(listener.isSettled(() -> settled.complete(null))).isFalse();
        nextQuestion().complete(PASSED);
        CompletableFuture<ThrottleResult> last = nextQuestion();
        assertThat(settled).isNotDone();
        last.complete(PASSED);
        settled.get(10, TimeUnit.SECONDS);
        assertThat(listener.isSettled(() -> {})).isTrue();
        assertThat(asked).hasValue(3 * PIECE);
    }

    @Test
    void bodyThatEnds_leavesTheQueue_andCallsNoMore() throws Exception {
        ThrottledWriteListener listener = answered();
        assertThat(listener.isReady()).isFalse();
        listener.leave();
        assertThat(nextQuestion()).isCancelled();
        assertThat(listener.isSettled(() -> {})).isTrue();
        assertThat(failure).isNotDone();
    }

    /** A container does the same with the exceptions of a listener. */
    @Test
    void serviceThatFails_hearsOfItsFailure() throws Exception {
        IllegalStateException defect = new IllegalStateException("a defect of the service");
        CompletableFuture<ThrottleResult> answer = new CompletableFuture<>();
        ThrottledWriteListener listener = new ThrottledWriteListener(
                new ServersStream(new AlwaysReady()), bytes -> answer, PIECE, new WriteListener() {
                    @Override
                    public void onWritePossible() {
                        throw defect;
                    }

                    @Override
                    public void onError(Throwable cause) {
                        failure.complete(cause);
                    }
                });
        listener.write(new byte[10], 0, 10);
        assertThat(listener.isReady()).isFalse();
        answer.complete(PASSED);
        assertThat(failure.get(10, TimeUnit.SECONDS)).isSameAs(defect);
    }

    private static final class AlwaysReady extends ServletOutputStream {

        @Override
        public void write(int b) throws IOException {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}
    }
}
