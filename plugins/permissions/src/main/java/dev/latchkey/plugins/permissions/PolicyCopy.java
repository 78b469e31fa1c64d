package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The policy for requests, read again from the store before the copy is too old.
 *
 * <p>Threads without a valid copy wait for a shared load, and share its result or failure. Otherwise each thread would
 * load again, one after the other, each for the store's whole time limit. At half of the allowed age, a single thread
 * renews the copy while other threads continue with the old copy.
 *
 * <p>Safe for use by any number of threads.
 */
final class PolicyCopy {

    /** A policy from the store; {@link #forget} invalidates copies with a lower number. */
    private record Copy(Policy policy, long at, long number) {}

    private record Load(long number, CompletableFuture<Policy> end) {}

    private final PolicyStore store;
    private final long seenWithin;
    private final LongSupplier nanoTime;
    private final AtomicLong number = new AtomicLong();
    private final AtomicReference<@Nullable Copy> copy = new AtomicReference<>();
    private final AtomicReference<@Nullable Load> underWay = new AtomicReference<>();

    PolicyCopy(PolicyStore store, long seenWithin, LongSupplier nanoTime) {
        this.store = store;
        this.seenWithin = seenWithin;
        this.nanoTime = nanoTime;
    }

    /** Invalidates everything read before this call for later questions, including current loads. */
    void forget() {
        number.incrementAndGet();
    }

    /** The number of invalidations. */
    long number() {
        return number.get();
    }

    /** @throws AuthUnavailableException if there is no valid copy, and the store does not answer */
    Policy policy() {
        Copy present = copy.get();
        if (present == null || !isGood(present)) {
            return loaded();
        }
        return isYoung(present) ? present.policy() : renewed(present);
    }

    private Policy loaded() {
        while (true) {
            Load other = underWay.get();
            if (other != null && other.number() == number.get()) {
                return await(other.end());
            }
            Load mine = new Load(number.get(), new CompletableFuture<>());
            if (underWay.compareAndSet(other, mine)) {
                return load(mine);
            }
        }
    }

    private Policy renewed(Copy present) {
        Load mine = new Load(number.get(), new CompletableFuture<>());
        if (!underWay.compareAndSet(null, mine)) {
            return present.policy();
        }
        try {
            return load(mine);
        } catch (AuthUnavailableException e) {
            if (isGood(present)) {
                return present.policy();
            }
            throw e;
        }
    }

    private Policy load(Load mine) {
        try {
            Copy present = copy.get();
            // Another load may have ended since the check.
            Policy policy =
                    present != null && isGood(present) && isYoung(present) ? present.policy() : read(mine.number());
            mine.end().complete(policy);
            return policy;
        } catch (RuntimeException | Error e) {
            mine.end().completeExceptionally(e);
            throw e;
        } finally {
            underWay.compareAndSet(mine, null);
        }
    }

    private Policy read(long beforeLoading) {
        long now = nanoTime.getAsLong();
        Policy policy = store.load();
        Copy mine = new Copy(policy, now, beforeLoading);
        copy.updateAndGet(other -> other != null && other.number() > beforeLoading ? other : mine);
        return policy;
    }

    private static Policy await(CompletableFuture<Policy> end) {
        try {
            return end.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("The policy could not be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The thread was interrupted while the policy was read", e);
        }
    }

    private boolean isGood(Copy read) {
        return read.number() == number.get() && nanoTime.getAsLong() - read.at() < seenWithin;
    }

    private boolean isYoung(Copy read) {
        return nanoTime.getAsLong() - read.at() < seenWithin / 2;
    }
}
