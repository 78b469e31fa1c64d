package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One running load and its waiting threads. A flight always lands exactly once: with a verdict, an outage, or nothing.
 *
 * @param <V> the verdict's type
 */
final class Flight<V> {

    /**
     * The end of a flight.
     *
     * @param verdict null if the flight ended without a verdict
     * @param outage the outage, if every other caller would meet the same outage
     * @param nanos the duration of the load
     */
    record Landing<V>(@Nullable V verdict, @Nullable AuthUnavailableException outage, long nanos) {}

    private static final Landing<?> NOTHING = new Landing<>(null, null, 0);

    /** The interval at which a waiter checks by itself: the landing thread may have no stack left for the wake-up. */
    private static final long LOOK_MILLIS = 50;

    /**
     * The end of the flight; null while the load runs. A plain field, because even the last frame of a stack can assign
     * a field.
     */
    volatile @Nullable Landing<V> landing;

    private final long tag;
    private final Thread leader = Thread.currentThread();
    private final CountDownLatch landed = new CountDownLatch(1);
    private volatile boolean mayStore = true;

    Flight(long tag) {
        this.tag = tag;
    }

    /** A landing without a verdict, created in advance: memory may be full at the end of a flight. */
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

    /** Prevents storing of this flight's verdict, because the account was evicted meanwhile. */
    void forbidStore() {
        mayStore = false;
    }

    boolean mayStore() {
        return mayStore;
    }

    /** Wakes the waiting threads after the landing. */
    void wakeWaiters() {
        landed.countDown();
    }

    /** Waits for the end. An interrupted thread gets {@link #nothing()} at once and stays interrupted. */
    Landing<V> await() {
        try {
            Landing<V> end = landing;
            while (end == null) {
                // The field decides, whatever await returns.
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
