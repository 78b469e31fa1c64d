package dev.latchkey.throttle;

import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.throttle.ThrottleResult.Passed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires tokens of several limits in order: each is asked when the one before has let the request through, and the first refusal ends it.
 *
 * <p>A limit is one bucket of a {@link Throttle}, or a whole throttle. No thread waits. Limits that answer at once are asked in a loop, not by
 * recursion. Safe for use by any number of threads.
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
     * Asks the first limit now, and each of the others in its turn.
     *
     * @param limits each gives a future that leaves the limit's queue when it is cancelled; without limits everything passes
     * @return under way, or already ended where all limits answered at once
     */
    public static Acquisition begin(List<Supplier<CompletableFuture<ThrottleResult>>> limits) {
        Acquisition acquisition = new Acquisition(limits);
        acquisition.askFrom(0);
        Futures.onEnd(acquisition.result, (result, failure) -> acquisition.cancelPending());
        return acquisition;
    }

    /**
     * The result of all limits together. To cancel it, or to complete it early, cancels the limit that is pending then.
     *
     * @return completes with the first refusal, or with what all limits together have let through; by a thread as {@link ThrottleClient#acquire} says
     */
    public CompletableFuture<ThrottleResult> result() {
        return result;
    }

    /**
     * The answers of the limits that have let the request through so far.
     *
     * @return in the order of the limits; a copy
     */
    public List<Passed> passed() {
        return List.copyOf(passed);
    }

    /**
     * The limit that was asked last.
     *
     * @return its index; 0 if there are none
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
                    // It ended just before, when this limit was not pending yet.
                    cancelPending();
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

    /** Whether the next limit is to be asked. */
    private boolean hasPassed(ThrottleResult answer) {
        if (answer instanceof Passed granted) {
            passed.add(granted);
            return !result.isDone();
        }
        result.complete(answer);
        return false;
    }

    private void cancelPending() {
        CompletableFuture<ThrottleResult> last = pending;
        if (last != null) {
            last.cancel(false);
        }
    }
}
