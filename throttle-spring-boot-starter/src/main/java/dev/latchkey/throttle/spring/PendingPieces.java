package dev.latchkey.throttle.spring;

import dev.latchkey.throttle.ThrottleResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a body that wait for the throttle, and the answer to the first of them, which is pending. For one thread at a time, but for
 * {@link #leave()}.
 */
final class PendingPieces {

    /**
     * What all bodies together keep in memory. Each client decides by itself how many bodies wait, so a bound on each of them is
     * none. For any number of threads.
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

        /** An eighth of the heap: what is left is the service's. */
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
    private CompletableFuture<ThrottleResult> result;

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

    /** Whether so many bytes are more than may be kept, of this body or of all. */
    boolean isOver(long most) {
        return bytes > most || (isHolding() && isMemoryFull());
    }

    boolean isMemoryFull() {
        return memory.isFull();
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
        count(-first.length);
        return first;
    }

    /** Drops what waits, and leaves the throttle's queue. */
    void forget() {
        if (result != null) {
            result.cancel(false);
        }
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

    /** The body has ended, whatever is still here: it keeps nothing of what there is for all. Any thread may say so, and repeat it. */
    synchronized void leave() {
        count(-counted);
        left = true;
    }
}
