package dev.latchkey.throttle;

import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.throttle.ThrottleResult.Passed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires tokens of several limits in order. Each limit is asked after the previous limit has passed the request. The
 * first rejection ends the acquisition.
 *
 * <p>A limit is one bucket of a {@link Throttle}, or a whole throttle. No thread waits. Limits with immediate answers
 * are asked in a loop, not by recursion. Safe for use by any number of threads.
 */
public final class Acquisition {

    private final List<Supplier<CompletableFuture<ThrottleResult>>> limits;
    private final CompletableFuture<ThrottleResult> result = new CompletableFuture<>();
    private final List<Passed> passed = new CopyOnWriteArrayList<>();
    private volatile int position;
    private volatile @Nullable CompletableFuture<ThrottleResult> pending;

    private Acquisition(List<Supplier<CompletableFuture<ThrottleResult>>> limits) {
        this.limits = List.copyOf(limits);
    }

    /**
     * Asks the first limit now, and the other limits in turn.
     *
     * @param limits each returns a future; cancelling the future leaves the limit's queue. Without limits every request
     *     passes
     * @return in progress, or already ended if all limits answered at once
     */
    public static Acquisition begin(List<Supplier<CompletableFuture<ThrottleResult>>> limits) {
        Acquisition acquisition = new Acquisition(limits);
        acquisition.askFrom(0);
        Futures.onEnd(acquisition.result, (answer, failure) -> acquisition.endPending(answer));
        return acquisition;
    }

    /**
     * The result of all limits together. If a caller cancels the future, or completes the future with a rejection, the
     * pending limit ends the same way.
     *
     * @return completes with the first rejection, or with the sum of all limits; on a thread as described at
     *     {@link ThrottleClient#acquire}
     */
    public CompletableFuture<ThrottleResult> result() {
        return result;
    }

    /**
     * The answers of the limits that have passed the request so far.
     *
     * @return in the order of the limits; a copy
     */
    public List<Passed> passed() {
        return List.copyOf(passed);
    }

    /**
     * The last asked limit.
     *
     * @return the index of the limit; 0 without limits
     */
    public int position() {
        return position;
    }

    private void askFrom(int first) {
        for (int i = first; i < limits.size(); i++) {
            position = i;
            CompletableFuture<ThrottleResult> answer = limits.get(i).get();
            pending = answer;
            if (!answer.isDone()) {
                int next = i + 1;
                Futures.onEnd(answer, (value, failure) -> goOn(value, failure, next));
                if (result.isDone()) {
                    // The result was completed just before this limit became pending.
                    Futures.onEnd(result, (value, failure) -> endPending(value));
                }
                return;
            }
            if (!hasPassed(answer.join())) {
                return;
            }
        }
        result.complete(passed.stream().reduce(Passed.UNLIMITED, Passed::and));
    }

    private void goOn(@Nullable ThrottleResult answer, @Nullable Throwable failure, int next) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (answer != null && hasPassed(answer)) {
            askFrom(next);
        }
    }

    /** Whether to ask the next limit. */
    private boolean hasPassed(ThrottleResult answer) {
        if (answer instanceof Passed granted) {
            passed.add(granted);
            return !result.isDone();
        }
        result.complete(answer);
        return false;
    }

    /** Passes a rejection to the pending limit, so that the limit counts the rejection. Otherwise the request has left. */
    private void endPending(@Nullable ThrottleResult answer) {
        CompletableFuture<ThrottleResult> last = pending;
        if (last == null) {
            return;
        }
        if (answer instanceof ThrottleResult.Refused) {
            last.complete(answer);
        } else {
            last.cancel(false);
        }
    }
}
