package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    /** How often a waiter looks for itself: the thread that landed may have had no stack left to wake it. */
    private static final long LOOK_MILLIS = 50;

    /**
     * How it ended; null while it runs. A field and no method of a future: an assignment is what even the last frame of a stack
     * can do.
     */
    volatile @Nullable Landing<V> landing;

    private final long tag;
    private final Thread leader = Thread.currentThread();
    private final CountDownLatch landed = new CountDownLatch(1);
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

    boolean isOver() {
        return landing != null;
    }

    /** What this flight finds out is no longer to be stored: its account was evicted meanwhile. */
    void forbidStore() {
        mayStore = false;
    }

    boolean mayStore() {
        return mayStore;
    }

    /** Tells those who wait that it landed. */
    void wakeWaiters() {
        landed.countDown();
    }

    /** Waits for the end; a thread that is interrupted gets {@link #nothing()} at once and stays interrupted. */
    Landing<V> await() {
        try {
            Landing<V> end = landing;
            while (end == null) {
                // True or not, the field is what counts.
                var unused = landed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                end = landing;
            }
            return end;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return nothing();
        }
    }
}
