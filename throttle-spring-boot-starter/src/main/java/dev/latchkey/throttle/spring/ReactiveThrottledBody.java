package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/**
 * A body in pieces of equal size, each passed by its throttle.
 *
 * <p>Demand passes through. The throttle is called for a piece when the server requests a piece. The service gets
 * demand for the next buffer when the last piece of the previous buffer has passed. So no data piles up on either side
 * of the throttle, and a client that does not read takes no tokens from other clients. A client that reads nothing for
 * too long is given up.
 */
final class ReactiveThrottledBody {

    private final BodyThrottle throttle;
    private final GuardTime time;
    private final int longest;
    private volatile ThrottleResult.@Nullable Refused refused;

    ReactiveThrottledBody(BodyThrottle throttle, GuardTime time) {
        this.throttle = throttle;
        this.time = time;
        this.longest = throttle.piece();
    }

    /** Fails with {@link BodyThrottle.CutOffException} if the throttle refuses a piece. */
    Flux<DataBuffer> of(Publisher<? extends DataBuffer> body) {
        return Flux.from(body)
                .concatMap(buffer -> Flux.using(() -> new Uncut(buffer), this::pieces, Uncut::release), 0);
    }

    /** Present if the throttle refused a piece. */
    Optional<ThrottleRefusal> refusal() {
        return Optional.ofNullable(refused).map(throttle::refusal);
    }

    private Flux<DataBuffer> pieces(Uncut buffer) {
        return Flux.<Integer, Integer>generate(buffer::size, this::nextSize)
                .concatMap(size -> Mono.<Integer>create(sink -> new Ask(size, sink).begin()), 0)
                .handle(buffer::cut);
    }

    private int nextSize(int left, SynchronousSink<Integer> sizes) {
        int next = Math.min(left, longest);
        if (next == 0) {
            sizes.complete();
        } else {
            sizes.next(next);
        }
        return left - next;
    }

    /** The rest of a buffer. A thread cuts pieces, and another thread may release the buffer at the same time. */
    private static final class Uncut {

        private final DataBuffer buffer;
        private final int size;
        private boolean released;

        Uncut(DataBuffer buffer) {
            this.buffer = buffer;
            this.size = buffer.readableByteCount();
        }

        int size() {
            return size;
        }

        synchronized void cut(int length, SynchronousSink<DataBuffer> pieces) {
            if (!released) {
                pieces.next(buffer.split(buffer.readPosition() + length));
            }
        }

        synchronized void release() {
            released = true;
            DataBufferUtils.release(buffer);
        }
    }

    /** A piece: the server requests the piece first, then the throttle passes the piece. */
    private final class Ask {

        private final int size;
        private final MonoSink<Integer> sink;
        private final AtomicBoolean asked = new AtomicBoolean();
        private volatile boolean ended;
        private volatile @Nullable WakeUp stalled;
        private volatile @Nullable CompletableFuture<ThrottleResult> result;

        Ask(int size, MonoSink<Integer> sink) {
            this.size = size;
            this.sink = sink;
        }

        void begin() {
            sink.onDispose(this::end);
            sink.onRequest(any -> askThrottle());
            if (!asked.get()) {
                stalled = time.after(throttle.writeTimeout(), this::giveUp);
                if (asked.get() || ended) {
                    callOff();
                }
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // end() cancels the future
        private void askThrottle() {
            if (!asked.compareAndSet(false, true)) {
                return;
            }
            callOff();
            CompletableFuture<ThrottleResult> answer = throttle.acquire(size);
            result = answer;
            if (ended) {
                answer.cancel(false);
            } else if (answer.isDone()) {
                emit(answer.join());
            } else {
                // A timer shared by all completes the future. The next work of the service and the server must not run
                // on its thread.
                answer.whenComplete((value, cancelled) -> {
                    if (value != null) {
                        Schedulers.parallel().schedule(() -> emit(value));
                    }
                });
            }
        }

        private void emit(ThrottleResult answer) {
            if (answer instanceof ThrottleResult.Refused no) {
                refused = no;
                sink.error(new BodyThrottle.CutOffException());
            } else {
                sink.success(size);
            }
        }

        /**
         * The server has not requested data for long: its client may be gone. If the server requests data at the same
         * time, the first of both wins.
         */
        private void giveUp() {
            if (asked.compareAndSet(false, true)) {
                ThrottleResult.Refused stalledClient =
                        new ThrottleResult.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));
                Schedulers.parallel().schedule(() -> emit(stalledClient));
            }
        }

        private void callOff() {
            WakeUp wakeUp = stalled;
            if (wakeUp != null) {
                wakeUp.cancel();
            }
        }

        private void end() {
            ended = true;
            callOff();
            CompletableFuture<ThrottleResult> waiting = result;
            if (waiting != null) {
                waiting.cancel(false);
            }
        }
    }
}
