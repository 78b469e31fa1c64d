package dev.latchkey.throttle.spring;

import dev.latchkey.throttle.ThrottleResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a body in the queue for the throttle, and the pending result for the first piece. For a single thread
 * at a time, except {@link #cancel()} and {@link #leave()}.
 */
final class PendingPieces {

    /**
     * The memory of all waiting bodies. Clients decide about the number of waiting bodies, so a limit for each body is
     * not sufficient. For any number of threads.
     */
    static final class Memory {

        private final AtomicLong kept = new AtomicLong();
        private final long most;

        private Memory(long most) {
            this.most = most;
        }

        static Memory of(long most) {
            return new Memory(most);
        }

        /** An eighth of the heap. The rest is for the service. */
        static Memory ofThisProcess() {
            return of(Runtime.getRuntime().maxMemory() / 8);
        }

        boolean isFull() {
            return kept.get() > most;
        }
    }

    private final Memory memory;
    private boolean left;
    private long counted;

    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private long bytes;
    private boolean unflushed;

    @Nullable
    private volatile CompletableFuture<ThrottleResult> result;

    PendingPieces(Memory memory) {
        this.memory = memory;
    }

    /** The first piece waits for this result. */
    void begin(CompletableFuture<ThrottleResult> result) {
        this.result = result;
    }

    void add(byte[] piece) {
        pieces.add(piece);
        bytes += piece.length;
        count(piece.length);
    }

    boolean isHolding() {
        return !pieces.isEmpty();
    }

    /** Whether this body exceeds the given number of bytes, or all bodies together exceed their limit. */
    boolean isOver(long most) {
        return bytes > most || (isHolding() && isMemoryFull());
    }

    boolean isMemoryFull() {
        return memory.isFull();
    }

    CompletableFuture<ThrottleResult> result() {
        CompletableFuture<ThrottleResult> waiting = result;
        if (waiting == null) {
            throw new IllegalStateException("Nothing waits");
        }
        return waiting;
    }

    /** A piece was written to the server's buffer. */
    void wrote() {
        unflushed = true;
    }

    /** Whether a piece was written since the last call. If so, flush: the client must not wait for the piece. */
    boolean mustFlush() {
        boolean was = unflushed;
        unflushed = false;
        return was;
    }

    byte[] first() {
        return pieces.getFirst();
    }

    /** Removes the first piece. If another piece follows, call {@link #begin} for the next piece. */
    byte[] take() {
        byte[] first = pieces.removeFirst();
        bytes -= first.length;
        count(-first.length);
        return first;
    }

    /** Leaves the throttle's queue. Any thread may call this method. */
    void cancel() {
        CompletableFuture<ThrottleResult> waiting = result;
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    /** Drops the waiting pieces, and leaves the throttle's queue. */
    void forget() {
        cancel();
        count(-bytes);
        pieces.clear();
        bytes = 0;
    }

    private synchronized void count(long more) {
        if (!left) {
            counted += more;
            memory.kept.addAndGet(more);
        }
    }

    /**
     * The body has ended: releases its share of the common memory, even if pieces remain. Any thread may call this
     * method, also repeatedly.
     */
    synchronized void leave() {
        count(-counted);
        left = true;
    }
}
