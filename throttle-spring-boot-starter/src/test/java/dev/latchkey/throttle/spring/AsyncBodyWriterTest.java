package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

/** The rest of a body, in pieces of 100 bytes; a client may leave each piece unread for ten seconds, and each piece waits for a minute at the throttle. */
class AsyncBodyWriterTest {

    private static final int PIECE = 100;
    private static final int PIECES = 5;
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PER_PIECE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final CountingAsync async = new CountingAsync(request);
    private final Socket socket = new Socket();

    private void begin() {
        begin(Duration.ofHours(1), bodyThrottle -> {});
    }

    /** @param before uses the throttle before the first piece */
    private void begin(Duration maxWait, Consumer<BodyThrottle> before) {
        begin(time, PER_PIECE, maxWait, before);
    }

    private void begin(GuardTime time, Duration perPiece, Duration maxWait, Consumer<BodyThrottle> before) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.RESPONSE_BYTES,
                null,
                new Rate(PIECE, perPiece, (long) PIECE),
                null,
                false,
                maxWait,
                10,
                10,
                DataSize.ofBytes(PIECE),
                DataSize.ofBytes(PIECES * PIECE),
                WRITE_TIMEOUT,
                true);
        ThrottleRule rule = ThrottleRule.of("bodies", endpoints, time, ThrottleListener.NONE);
        BodyThrottle throttle = BodyThrottle.of(
                List.of(rule), null, ClientSource.of("192.0.2.1").orElseThrow());
        before.accept(throttle);
        PendingPieces pieces = new PendingPieces(PendingPieces.Memory.ofThisProcess());
        pieces.begin(throttle.acquire(PIECE));
        for (int i = 0; i < PIECES; i++) {
            pieces.add(new byte[PIECE]);
        }
        AsyncBodyWriter.begin(async, new ServersStream(socket), pieces, throttle, time);
    }

    @Test
    void clientThatReadsNothing_isGivenUpAfterTheWriteTimeout() throws IOException {
        begin();
        socket.full = true;
        socket.listener.onWritePossible();
        time.advance(WRITE_TIMEOUT.minusNanos(1));
        assertThat(async.dispatched).isZero();
        time.advance(Duration.ofNanos(1));
        assertThat(async.dispatched).isOne();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void clientThatStopsReadingLater_isGivenUpAfterTheWriteTimeout() throws IOException {
        begin();
        socket.listener.onWritePossible();
        time.advance(Duration.ofSeconds(25));
        socket.full = true;
        time.advance(Duration.ofSeconds(35));
        assertThat(socket.sent.size()).isEqualTo(PIECE);
        time.advance(WRITE_TIMEOUT.minusNanos(1));
        assertThat(async.dispatched).isZero();
        time.advance(Duration.ofNanos(1));
        assertThat(async.dispatched).isOne();
    }

    /** The container calls with another thread as soon as it has said no, before the thread that heard this has gone on. */
    @Test
    void downloadThatIsRead_isNotCutOff_whereTheContainerIsFasterThanTheThreadThatAsked() throws Exception {
        begin();
        socket.full = true;
        socket.readsAtOnce = true;
        socket.listener.onWritePossible();
        socket.container.join();
        assertThat(socket.sent.size()).isEqualTo(PIECE);
        time.advance(PER_PIECE.minusNanos(1));
        assertThat(async.dispatched).isZero();
        time.advance(PER_PIECE.multipliedBy(PIECES));
        assertThat(socket.sent.size()).isEqualTo(PIECES * PIECE);
        assertThat(async.dispatched).isZero();
        assertThat(async.completed).isOne();
        assertThat(time.wakeUps()).isZero();
    }

    /** Undertow ends a dispatch on two threads at the same time, so the client may get no answer. */
    @Test
    void bodyRefusedBeforeItsFirstByte_isAnsweredWithoutADispatch() throws Exception {
        Duration maxWait = Duration.ofSeconds(1);
        begin(maxWait, throttle -> assertThat(throttle.acquire(PIECE)).isCompleted());
        socket.listener.onWritePossible();
        time.advance(maxWait.plus(WRITE_TIMEOUT));
        MockHttpServletResponse response = (MockHttpServletResponse) async.getResponse();
        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.getContentAsString()).contains("#quota-exceeded", "bodies-source");
        assertThat(async.completed).isOne();
        assertThat(async.dispatched).isZero();
    }

    @Test
    void bodyRefusedAfterItsFirstByte_isCutOffByADispatch() throws Exception {
        Duration maxWait = Duration.ofSeconds(1);
        begin(maxWait, throttle -> {});
        socket.listener.onWritePossible();
        ((MockHttpServletResponse) async.getResponse()).setCommitted(true);
        time.advance(maxWait);
        assertThat(async.dispatched).isOne();
        assertThat(async.completed).isZero();
    }

    /** On HTTP/2, Tomcat's non-blocking write waits if the client of the connection reads nothing. */
    @Test
    void writeThatBlocks_leavesTheTimerToOthers() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        try (GuardTime machine = GuardTime.start()) {
            begin(
                    machine,
                    Duration.ofMillis(50),
                    Duration.ofHours(1),
                    throttle -> assertThat(throttle.acquire(PIECE)).isCompleted());
            async.container = task -> new Thread(task).start();
            socket.beforeWrite = () -> {
                socket.isWriting.countDown();
                await(reads);
            };
            socket.listener.onWritePossible();
            await(socket.isWriting);
            CompletableFuture<String> other = new CompletableFuture<>();
            machine.after(Duration.ZERO, () -> other.complete("runs"));
            assertThat(other).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("runs");
        } finally {
            reads.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void bodyWithoutAThreadOfTheContainer_isCutOff() throws IOException {
        begin();
        socket.listener.onWritePossible();
        async.container = task -> {
            throw new RejectedExecutionException("The pool is full");
        };
        time.advance(PER_PIECE);
        assertThat(async.dispatched).isOne();
        assertThat(async.completed).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    /** A socket of the container, which may be full. */
    private static final class Socket extends ServletOutputStream {

        private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        private final CountDownLatch isWriting = new CountDownLatch(1);
        private volatile Runnable beforeWrite = () -> {};
        private WriteListener listener;
        private boolean full;
        private boolean readsAtOnce;
        private Thread container = new Thread();

        @Override
        public boolean isReady() {
            if (!full) {
                return true;
            }
            if (readsAtOnce) {
                readsAtOnce = false;
                full = false;
                callFromTheContainer();
            }
            return false;
        }

        private void callFromTheContainer() {
            Thread container = new Thread(() -> {
                try {
                    listener.onWritePossible();
                } catch (IOException e) {
                    listener.onError(e);
                }
            });
            container.start();
            this.container = container;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            this.listener = listener;
        }

        @Override
        public void write(int b) {
            sent.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            beforeWrite.run();
            sent.write(bytes, offset, length);
        }
    }

    private static final class CountingAsync extends MockAsyncContext {

        private volatile Executor container = Runnable::run;
        private int dispatched;
        private int completed;

        CountingAsync(MockHttpServletRequest request) {
            super(request, new MockHttpServletResponse());
        }

        @Override
        public void start(Runnable task) {
            container.execute(task);
        }

        @Override
        public void dispatch() {
            dispatched++;
        }

        @Override
        public void complete() {
            completed++;
        }
    }
}
