package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Limits the number of threads that wait during logins, for hashes and limits together. Further threads are rejected at
 * once.
 *
 * <p>A waiting request thread serves no request. Therefore only some of a server's threads may wait for logins, and the
 * others serve other requests. Safe for use by any number of threads, platform or virtual.
 */
public final class WaitingThreads {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private static final long MOMENT_MICROS = 2_000;

    private final Semaphore slots;
    private final int most;

    private WaitingThreads(int most) {
        this.slots = new Semaphore(most);
        this.most = most;
    }

    /**
     * Creates a limit on waiting threads.
     *
     * @param most the number of waiting threads, at least 1
     * @return a limit; share the object between all code that waits for logins
     * @throws IllegalArgumentException if the number is not positive
     */
    public static WaitingThreads atMost(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("At least 1 thread must be able to wait, got " + most);
        }
        return new WaitingThreads(most);
    }

    /**
     * Waits for the future's value. The first {@value #MOMENT_MICROS} microseconds need no slot. A login that only ran
     * in parallel with other logins is complete by then. Such a login takes no slot from a login that waits for a hash.
     * An interruption or a rejection cancels the future. An interrupted thread stays interrupted. If the future
     * completes before the rejection cancels the future, this method returns the value.
     *
     * @param <T> the type of the value
     * @param future completed by another thread
     * @return the value
     * @throws AuthUnavailableException of kind {@code OVERLOAD} if too many threads wait already, of kind
     *     {@code OUTAGE} if the thread is interrupted
     * @throws RuntimeException the future's own exception
     */
    public <T> T await(CompletableFuture<T> future) {
        if (Futures.isDoneWithin(MOMENT_MICROS, future)) {
            return Futures.join(future);
        }
        if (!enter()) {
            if (future.cancel(false)) {
                throw AuthUnavailableException.overload("Too many threads wait for logins", A_MOMENT);
            }
            return Futures.join(future);
        }
        try {
            return Futures.join(future);
        } finally {
            leave();
        }
    }

    /**
     * Takes a slot, if a slot is free, before the thread waits without {@link #await}. Never blocks.
     *
     * @return whether there was a slot; if true, call {@link #leave} once, in a {@code finally}
     */
    public boolean enter() {
        return slots.tryAcquire();
    }

    /**
     * As {@link #enter}, but leaves the second half of the slots to other callers.
     *
     * @return whether there was a slot: fewer than half of the slots were taken, or the only slot was free
     */
    public boolean enterLeavingRoom() {
        return waiting() < Math.max(1, most / 2) && enter();
    }

    /** Returns a slot taken by {@link #enter} or {@link #enterLeavingRoom}. */
    public void leave() {
        slots.release();
    }

    /**
     * The number of waiting threads.
     *
     * @return between 0 and {@link #most}; a snapshot, for metrics
     */
    public int waiting() {
        return most - slots.availablePermits();
    }

    /**
     * The largest number of waiting threads.
     *
     * @return the argument of {@link #atMost}
     */
    public int most() {
        return most;
    }
}
