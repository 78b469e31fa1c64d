package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One load that runs now, and those who wait for it. Lands exactly once, always: with a verdict, an outage, or nothing.
 *
 * @param <V> the verdict's type
 */
final class Flight<V> {

    /**
     * How a flight ended.
     *
     * @param verdict null where it ended without one
     * @param outage why, where others would only meet the same
     * @param nanos how long the load took
     */
    record Landing<V>(@Nullable V verdict, @Nullable AuthUnavailableException outage, long nanos) {}

    private static final Landing<?> NOTHING = new Landing<>(null, null, 0);

    private final long tag;
    private final Thread leader = Thread.currentThread();
    private final CompletableFuture<Landing<V>> landing = new CompletableFuture<>();
    private volatile boolean mayStore = true;

    Flight(long tag) {
        this.tag = tag;
    }

    /** A landing without a verdict; made beforehand, since memory may be what there is none of. */
    @SuppressWarnings("unchecked") // holds no value of any type
    static <V> Landing<V> nothing() {
        return (Landing<V>) NOTHING;
    }

    long tag() {
        return tag;
    }

    boolean isLedByThisThread() {
        return leader.equals(Thread.currentThread());
    }

    /** What this flight finds out is no longer to be stored: its account was evicted meanwhile. */
    void forbidStore() {
        mayStore = false;
    }

    boolean mayStore() {
        return mayStore;
    }

    void land(Landing<V> end) {
        landing.complete(end);
    }

    /** Waits for the end; a thread that is interrupted gets {@link #nothing()} at once and stays interrupted. */
    Landing<V> await() {
        try {
            return landing.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return nothing();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A flight never lands with an exception", e);
        }
    }
}
