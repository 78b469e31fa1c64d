package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.throttle.ThrottleResult;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way through a throttle, in pieces of the same size. A flush, and the end of the body, send a shorter piece.
 *
 * <p>A piece that may pass immediately is written immediately. The first piece that must wait, and all later pieces,
 * are kept for {@link AsyncBodyWriter}, so the writing thread becomes free. Beyond the memory limit of a body, the
 * thread waits. If all bodies together reach their memory limit, a body before its first byte is refused, and a started
 * body blocks its thread.
 *
 * <p>While the service itself processes the request asynchronously, no pieces are kept: the service's thread waits for
 * each piece. The service may complete the request at any time, and kept pieces would be lost.
 *
 * <p>A service cannot write without blocking here. The server would decide when the service writes, on a thread that must not
 * wait for a throttle. A call of the service by another thread would be at the same time as the server's own calls.
 *
 * <p>A thread holds the {@link ServersStream} from the start to the end of each call. A second thread waits, or is refused.
 */
final class ThrottledOutput extends ServletOutputStream {

    private final ServersStream out;
    private final BodyThrottle throttle;
    private final BooleanSupplier serviceIsAsynchronous;
    private final IntSupplier serversBuffer;
    private final PendingPieces pending;
    private final byte[] piece;
    private boolean begun;
    private boolean flushed;

    /** Whether the last piece had to wait. */
    private volatile boolean waited;

    private int filled;
    private long offered;

    @Nullable
    private volatile ThrottleRefusal refusal;

    /**
     * @param serversBuffer the server's buffer size before the response is committed
     * @param memory the common memory of all bodies
     */
    ThrottledOutput(
            ServersStream out,
            BodyThrottle throttle,
            BooleanSupplier serviceIsAsynchronous,
            IntSupplier serversBuffer,
            PendingPieces.Memory memory) {
        this.out = out;
        this.throttle = throttle;
        this.serviceIsAsynchronous = serviceIsAsynchronous;
        this.serversBuffer = serversBuffer;
        this.piece = new byte[throttle.piece()];
        this.pending = new PendingPieces(memory);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        alone(() -> {
            int from = offset;
            while (from < offset + length) {
                int count = Math.min(piece.length - filled, offset + length - from);
                System.arraycopy(bytes, from, piece, filled, count);
                filled += count;
                from += count;
                if (filled == piece.length) {
                    offerPiece();
                }
            }
        });
    }

    @Override
    public void flush() throws IOException {
        alone(() -> {
            flushed = true;
            offerRest();
            if (pending.mustFlush() || !pending.isHolding()) {
                out.flush();
            }
        });
    }

    /** Sends or keeps an incomplete piece. */
    void offerRest() throws IOException {
        alone(() -> {
            if (filled > 0) {
                offerPiece();
            }
        });
    }

    private void alone(Work work) throws IOException {
        if (!out.enter()) {
            throw new BodyThrottle.CutOffException();
        }
        try {
            work.run();
        } finally {
            out.leave();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void offerPiece() throws IOException {
        if (refusal != null) {
            throw new BodyThrottle.CutOffException();
        }
        byte[] next = Arrays.copyOf(piece, filled);
        offered += filled;
        filled = 0;
        if (!pending.isHolding()) {
            CompletableFuture<ThrottleResult> result = throttle.acquire(next.length);
            waited = !result.isDone();
            if (!waited) {
                requirePassed(result);
                send(next);
                return;
            }
            pending.begin(result);
        }
        pending.add(next);
        long maxHeld = serviceIsAsynchronous.getAsBoolean() ? 0 : throttle.maxHeld();
        if (maxHeld > 0 && !begun && pending.isMemoryFull()) {
            refuse(BodyThrottle.FOR_NOW);
        }
        while (pending.isOver(maxHeld)) {
            sendFirstWaiting();
        }
        flushIfServerWould();
    }

    /**
     * Commits the response when the server would have done so without a throttle. The client then has the first bytes. An
     * earlier commit would be too early for the header fields of later filters.
     */
    private void flushIfServerWould() throws IOException {
        if ((flushed || offered > serversBuffer.getAsInt()) && pending.mustFlush()) {
            out.flush();
        }
    }

    private void sendFirstWaiting() throws IOException {
        if (!pending.result().isDone()) {
            flushIfServerWould();
        }
        requirePassed(pending.result());
        send(pending.take());
        if (pending.isHolding()) {
            pending.begin(throttle.acquire(pending.first().length));
        }
    }

    private void requirePassed(CompletableFuture<ThrottleResult> result) throws BodyThrottle.CutOffException {
        Optional<ThrottleResult.Refused> refused = throttle.await(result);
        if (refused.isPresent()) {
            refuse(refused.get());
        }
    }

    private void refuse(ThrottleResult.Refused refused) throws BodyThrottle.CutOffException {
        refusal = throttle.refusal(refused);
        forget();
        throw new BodyThrottle.CutOffException();
    }

    private void send(byte[] next) throws IOException {
        begun = true;
        out.write(next, 0, next.length);
        pending.wrote();
    }

    /** Sends all kept pieces on the calling thread. */
    void sendAllWaiting() throws IOException {
        alone(() -> {
            while (pending.isHolding()) {
                sendFirstWaiting();
            }
        });
    }

    boolean isHolding() {
        return pending.isHolding();
    }

    /**
     * Sends all kept pieces without the calling thread. The thread must no longer touch the response. Spring's mock of a response
     * cannot be written later, so its pieces are sent now.
     */
    void sendAllLater(AsyncContext async, GuardTime time) throws IOException {
        try {
            AsyncBodyWriter.begin(async, out, pending, throttle, time);
        } catch (UnsupportedOperationException e) {
            sendAllWaiting();
            async.complete();
        }
    }

    Optional<ThrottleRefusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Drops unsent pieces for good, and releases their share of the common memory. */
    void abandon() {
        forget();
        pending.leave();
    }

    /** Drops unsent pieces. A thread that waits for the throttle is refused. */
    void forget() {
        pending.cancel();
        out.awaitLeave();
        filled = 0;
        pending.forget();
    }

    /** Whether the body may be incomplete: its last piece had to wait, or another thread is at work. */
    boolean isHeldBack() {
        return waited || isBusy();
    }

    /** Refuses the rest of the body. A thread that writes is refused too. */
    ThrottleRefusal cutOff() {
        forget();
        ThrottleRefusal known = refusal;
        if (known == null) {
            known = throttle.refusal(BodyThrottle.FOR_NOW);
            refusal = known;
        }
        return known;
    }

    /** The request has failed. The server's thread waits for the thread that writes. */
    void awaitLeave() {
        out.awaitLeave();
    }

    /** The request has ended. The calling thread of the server may still send, if no other thread is at work. */
    void end() {
        out.end();
    }

    boolean isBusy() {
        return out.isBusy();
    }

    boolean hasFailed() {
        return out.hasFailed();
    }

    @Override
    public boolean isReady() {
        return out.isReady();
    }

    /** @throws IllegalStateException always, with advice for the service */
    @Override
    public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException(
                "A throttle with counts: response-bytes allows no non-blocking writes"
                        + " (setWriteListener). Write with a thread of the service, or leave this path out of the throttle's paths");
    }

    @Override
    public void close() throws IOException {
        // Kept pieces are still to be sent. The container closes its stream at the end of the request.
        offerRest();
    }
}
