package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.throttle.ThrottleResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The pieces of a body that wait for the throttle, and its pending answer to the first. For one thread at a time. */
final class PendingPieces {

    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private long bytes;
    private boolean unflushed;

    @Nullable
    private CompletableFuture<ThrottleResult> result;

    /** The first piece waits for this result. */
    void begin(CompletableFuture<ThrottleResult> result) {
        this.result = result;
    }

    void add(byte[] piece) {
        pieces.add(piece);
        bytes += piece.length;
    }

    boolean isHolding() {
        return !pieces.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    CompletableFuture<ThrottleResult> result() {
        if (result == null) {
            throw new IllegalStateException("Nothing waits");
        }
        return result;
    }

    /** A piece was written to the server's buffer. */
    void wrote() {
        unflushed = true;
    }

    /** Whether a piece was written since this was asked last: then the client must not wait for it any longer. */
    boolean mustFlush() {
        boolean was = unflushed;
        unflushed = false;
        return was;
    }

    byte[] first() {
        return pieces.getFirst();
    }

    /** Takes the first piece out. If another follows, {@link #begin} is to be called for it. */
    byte[] take() {
        byte[] first = pieces.removeFirst();
        bytes -= first.length;
        return first;
    }

    /** Drops what waits, and leaves the throttle's queue. */
    void forget() {
        if (result != null) {
            result.cancel(false);
        }
        pieces.clear();
        bytes = 0;
    }
}
