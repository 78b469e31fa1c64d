package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way through a throttle, in pieces of one size.
 *
 * <p>A piece that may pass at once is written at once. The first that may not, and all behind it, are kept for
 * {@link AsyncBodyWriter}, so that the thread that writes them is free; beyond the bound on what is kept of one body, that thread waits.
 * Where all bodies together keep as much as they may, one that has not begun is refused, and one that has begun holds its thread.
 *
 * <p>While the service itself processes the request asynchronously nothing is kept: its own thread waits for each piece, since
 * the service may complete the request at any time, and then what was kept would be lost.
 *
 * <p>As any stream, for one thread at a time.
 */
final class ThrottledOutput extends ServletOutputStream {

    private static final ThrottleResult.Refused NO_MEMORY =
            new ThrottleResult.Refused(ThrottleScope.GLOBAL, Duration.ofSeconds(1));

    private final ServletOutputStream out;
    private final BodyThrottle throttle;
    private final BooleanSupplier serviceIsAsynchronous;
    private final IntSupplier serversBuffer;
    private final PendingPieces pending;
    private final byte[] piece;
    private boolean begun;
    private int filled;
    private long offered;

    @Nullable
    private ThrottledWriteListener nonBlocking;

    @Nullable
    private ThrottleRefusal refusal;

    /**
     * @param serversBuffer how much the server keeps before it commits the response
     * @param memory what this and all other bodies may keep together
     */
    ThrottledOutput(
            ServletOutputStream out,
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
        if (nonBlocking != null) {
            nonBlocking.write(bytes, offset, length);
            return;
        }
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
    }

    @Override
    public void flush() throws IOException {
        offerRest();
        if (pending.mustFlush() || !pending.isHolding()) {
            out.flush();
        }
    }

    /** Sends or keeps what has not filled a piece yet. */
    void offerRest() throws IOException {
        if (filled > 0) {
            offerPiece();
        }
    }

    private void offerPiece() throws IOException {
        if (refusal != null) {
            throw new BodyCutOffException();
        }
        byte[] next = Arrays.copyOf(piece, filled);
        offered += filled;
        filled = 0;
        if (!pending.isHolding()) {
            CompletableFuture<ThrottleResult> result = throttle.acquire(next.length);
            if (result.isDone()) {
                requirePassed(result);
                send(next);
                return;
            }
            pending.begin(result);
        }
        pending.add(next);
        long maxHeld = serviceIsAsynchronous.getAsBoolean() ? 0 : throttle.maxHeld();
        if (maxHeld > 0 && !begun && pending.isMemoryFull()) {
            refuse(NO_MEMORY);
        }
        while (pending.isOver(maxHeld)) {
            sendFirstWaiting();
        }
        // By now the server would have committed the response without a throttle, and the client have its first bytes.
        if (offered > serversBuffer.getAsInt() && pending.mustFlush()) {
            out.flush();
        }
    }

    private void sendFirstWaiting() throws IOException {
        if (!pending.result().isDone() && pending.mustFlush()) {
            out.flush();
        }
        requirePassed(pending.result());
        send(pending.take());
        if (pending.isHolding()) {
            pending.begin(throttle.acquire(pending.first().length));
        }
    }

    private void requirePassed(CompletableFuture<ThrottleResult> result) throws BodyCutOffException {
        Optional<ThrottleResult.Refused> refused = throttle.await(result);
        if (refused.isPresent()) {
            refuse(refused.get());
        }
    }

    private void refuse(ThrottleResult.Refused refused) throws BodyCutOffException {
        refusal = throttle.refusal(refused);
        forget();
        throw new BodyCutOffException();
    }

    private void send(byte[] next) throws IOException {
        begun = true;
        out.write(next);
        pending.wrote();
    }

    /** Sends all that is kept with the calling thread. */
    void sendAllWaiting() throws IOException {
        while (pending.isHolding()) {
            sendFirstWaiting();
        }
        out.flush();
    }

    boolean isHolding() {
        return pending.isHolding();
    }

    /** Sends all that is kept without the calling thread, which must not touch the response any more. */
    void sendAllLater(AsyncContext async, GuardTime time) {
        AsyncBodyWriter.begin(async, out, pending, throttle, time);
    }

    Optional<ThrottleRefusal> refusal() {
        if (nonBlocking != null) {
            return nonBlocking.refused().map(throttle::refusal);
        }
        return Optional.ofNullable(refusal);
    }

    /** The request ends here, and what has not been sent is never sent. */
    void abandon() {
        forget();
        pending.leave();
    }

    /** Drops what has not been sent. */
    void forget() {
        filled = 0;
        pending.forget();
    }

    @Override
    public boolean isReady() {
        return nonBlocking == null ? out.isReady() : nonBlocking.isReady();
    }

    /** @throws IllegalStateException if bytes were written before: how to write is decided once */
    @Override
    public void setWriteListener(WriteListener listener) {
        if (filled > 0 || pending.isHolding()) {
            throw new IllegalStateException("A write listener is set before anything is written");
        }
        nonBlocking = new ThrottledWriteListener(out, throttle::acquire, listener);
        out.setWriteListener(nonBlocking);
    }

    @Override
    public void close() throws IOException {
        // What is pending is still to be sent; the container closes its stream when the request ends.
        offerRest();
    }
}
