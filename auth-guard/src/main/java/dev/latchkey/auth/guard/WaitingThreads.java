package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Bounds how many threads wait for logins at a time, for hashes and limits together. Further ones are refused at once.
 *
 * <p>A request thread that waits serves nobody. So only a part of a server's threads may wait for logins, and the rest serves other requests. Safe
 * for use by any number of threads, platform or virtual.
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
     * A bound on waiting threads.
     *
     * @param most threads that may wait at the same time, at least 1
     * @return to be shared by all that wait for logins
     * @throws IllegalArgumentException if the number is not positive
     */
    public static WaitingThreads atMost(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("At least 1 thread must be able to wait, got " + most);
        }
        return new WaitingThreads(most);
    }

    /**
     * Waits for the future's value. The first {@value #MOMENT_MICROS} microseconds need no slot: a login that merely ran in parallel with others is
     * done by then, and takes no slot from one that waits for a hash. An interruption or a refusal cancels the future, and an interrupted thread
     * stays interrupted.
     *
     * @param <T> of the value
     * @param future that some other thread completes
     * @return the value
     * @throws AuthUnavailableException of kind {@code OVERLOAD} if too many wait already, of kind {@code OUTAGE} if the thread is interrupted
     * @throws RuntimeException that the future failed with
     */
    public <T> T await(CompletableFuture<T> future) {
        if (Futures.isDoneWithin(MOMENT_MICROS, future)) {
            return Futures.join(future);
        }
        if (!enter()) {
            future.cancel(false);
            throw AuthUnavailableException.overload("Too many threads wait for logins", A_MOMENT);
        }
        try {
            return Futures.join(future);
        } finally {
            leave();
        }
    }

    /**
     * Takes a slot, if one is free, for a thread that is about to wait for something else. Never blocks.
     *
     * @return whether there was a slot; if so, {@link #leave} must be called once, in a {@code finally}
     */
    public boolean enter() {
        return slots.tryAcquire();
    }

    /** Gives back a slot that {@link #enter} took. */
    public void leave() {
        slots.release();
    }

    /**
     * How many threads wait now.
     *
     * @return between 0 and {@link #most}; a snapshot, for metrics
     */
    public int waiting() {
        return most - slots.availablePermits();
    }

    /**
     * How many threads may wait at the same time.
     *
     * @return as given to {@link #atMost}
     */
    public int most() {
        return most;
    }
}
