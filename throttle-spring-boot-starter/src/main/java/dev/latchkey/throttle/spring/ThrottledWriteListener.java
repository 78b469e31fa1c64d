package dev.latchkey.throttle.spring;

import dev.latchkey.throttle.ThrottleResult;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Throttles a service with its own non-blocking writes. The service is ready only if a piece is paid in advance, also before
 * the first write. Until then {@code isReady()} is false, as for a full socket.
 *
 * <p>A write may be longer than the paid piece, because a ready service writes any number of bytes. The rest is a debt. The
 * service is ready again, or completes the request, after the debt is paid piece by piece. Each piece has the whole longest
 * wait for itself.
 *
 * <p>For one thread at a time, except {@link #leave()} and the throttle's answer. A call waits for no other call: a service may
 * hold a lock of its own here, and need the same lock in its listener.
 */
final class ThrottledWriteListener implements WriteListener {

    private final ServersStream out;
    private final LongFunction<CompletableFuture<ThrottleResult>> throttle;
    private final int piece;
    private final WriteListener service;

    /** The bytes that are paid and not written; negative for a debt. */
    private final AtomicLong paid = new AtomicLong();

    private volatile @Nullable CompletableFuture<ThrottleResult> question;
    private volatile @Nullable Next next;
    private volatile ThrottleResult.@Nullable Refused refused;
    private volatile boolean left;

    /**
     * The action after the pending question: the call of the service, or the completion of the request.
     *
     * @param least the bytes that must be paid before
     */
    private record Next(long least, Runnable action) {}

    /**
     * @param throttle acquires tokens for a number of bytes
     * @param piece the number of bytes to pay at a time
     */
    ThrottledWriteListener(
            ServersStream out,
            LongFunction<CompletableFuture<ThrottleResult>> throttle,
            int piece,
            WriteListener service) {
        this.out = out;
        this.throttle = throttle;
        this.piece = piece;
        this.service = service;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        paid.addAndGet(-length);
    }

    /** False if the container or the throttle's answer will call the service. */
    boolean isReady() {
        return isPaid(new Next(1, this::callService)) && out.isReady();
    }

    /** Whether all written bytes are paid, or will never be. Otherwise the action runs after the throttle's answer. */
    boolean isSettled(Runnable action) {
        return refused != null || left || isPaid(new Next(0, action));
    }

    /** Whether the service, or the completion, waits for the throttle. */
    boolean isWaiting() {
        return next != null;
    }

    /** The body has ended: leaves the throttle's queue, and calls the service no more. Any thread may call this method. */
    void leave() {
        left = true;
        CompletableFuture<ThrottleResult> waiting = question;
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    /** The refusal, if the throttle ended the body. */
    Optional<ThrottleResult.Refused> refused() {
        return Optional.ofNullable(refused);
    }

    /** Pays pieces until the bytes are paid. If the result is false, the action runs after the throttle's answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // receive() handles failures
    private boolean isPaid(Next then) {
        while (paid.get() < then.least()) {
            if (next != null) {
                next = then;
                return false;
            }
            CompletableFuture<ThrottleResult> asked = throttle.apply(piece);
            if (!hasPassed(asked)) {
                next = then;
                question = asked;
                if (left) {
                    asked.cancel(false);
                }
                // Not on the throttle's timer, because all requests share the timer and the service's work may be long.
                asked.whenCompleteAsync((answer, cancelled) -> goOn(answer));
                return false;
            }
            paid.addAndGet(piece);
        }
        return true;
    }

    private static boolean hasPassed(CompletableFuture<ThrottleResult> asked) {
        return asked.isDone() && !asked.isCompletedExceptionally() && asked.join() instanceof ThrottleResult.Passed;
    }

    private void goOn(@Nullable ThrottleResult answer) {
        if (out.enter()) {
            try {
                receive(answer);
            } finally {
                out.leave();
            }
        }
    }

    private void receive(@Nullable ThrottleResult answer) {
        Next then = next;
        if (then == null || left) {
            return;
        }
        if (answer instanceof ThrottleResult.Passed) {
            paid.addAndGet(piece);
            next = null;
            if (isPaid(then)) {
                then.action().run();
            }
        } else {
            refused = answer instanceof ThrottleResult.Refused no ? no : BodyThrottle.FOR_NOW;
            then.action().run();
        }
    }

    private void callService() {
        if (refused != null) {
            service.onError(new BodyThrottle.CutOffException());
            return;
        }
        try {
            if (out.isReady()) {
                service.onWritePossible();
            }
        } catch (IOException | RuntimeException | Error e) {
            service.onError(e);
        }
    }

    /** The container calls before the first write too, and the first piece is not paid then. */
    @Override
    public void onWritePossible() throws IOException {
        if (isPaid(new Next(1, this::callService))) {
            service.onWritePossible();
        }
    }

    @Override
    public void onError(Throwable failure) {
        leave();
        service.onError(failure);
    }
}
