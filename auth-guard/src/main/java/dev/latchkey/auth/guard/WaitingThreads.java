package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Lets so many threads wait at a time, for whatever it is about logins that they wait for; one more is refused at once.
 *
 * <p>Request threads that wait answer nobody. A part of a server's may wait for logins, so that the rest serves everybody else.
 * Safe for use by any number of threads, platform or virtual.
 */
public final class WaitingThreads {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private static final long MOMENT_MICROS = 2_000;

    private final Semaphore places;
    private final int most;

    private WaitingThreads(int most) {
        this.places = new Semaphore(most);
        this.most = most;
    }

    /**
     * So many at a time.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public static WaitingThreads atMost(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("At least 1 thread must be able to wait, got " + most);
        }
        return new WaitingThreads(most);
    }

    /**
     * The future's value; the thread waits for it where it is not there yet. A moment of {@value #MOMENT_MICROS} microseconds needs no
     * place: whoever is only asked in parallel with others has his answer by then, and must not take a place from those who wait
     * for a hash. An interruption or a refusal cancels the future: nobody is left to read it.
     *
     * @throws AuthUnavailableException of kind {@code OVERLOAD} if too many wait already, of kind {@code OUTAGE} if the thread is
     *     interrupted
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

    /** Takes a place, if there is one, for a thread that is about to wait for something else; to be given back by {@link #leave}. */
    public boolean enter() {
        return places.tryAcquire();
    }

    /** Gives a place back that {@link #enter} took. */
    public void leave() {
        places.release();
    }

    /** How many wait now. */
    public int waiting() {
        return most - places.availablePermits();
    }

    /** How many may wait. */
    public int most() {
        return most;
    }
}
