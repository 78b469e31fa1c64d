package dev.latchkey.throttle;

import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.throttle.ThrottleResult.Passed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Acquires tokens of several throttles in order. Each throttle is asked after the previous throttle has passed the request.
 * The first rejection ends the acquisition. Unless all pass the request, all get their tokens back.
 *
 * <p>No thread waits. Throttles with immediate answers are asked in a loop, not by recursion. Safe for use by any number of
 * threads.
 */
public final class Acquisition {

    /** A bucket, or all buckets of a throttle, for a single acquisition. */
    interface Limit {

        /** Asks for the tokens. Called once. Cancelling the future leaves the limit's queue. */
        CompletableFuture<ThrottleResult> ask();

        /** Returns the tokens. Has no effect before {@link #ask}, without tokens, and at a second call. */
        void giveBack();
    }

    private final List<Limit> limits;
    private final List<Limit> asked = new CopyOnWriteArrayList<>();
    private final CompletableFuture<ThrottleResult> result = new CompletableFuture<>();
    private final List<Passed> passed = new CopyOnWriteArrayList<>();
    private volatile int position;
    private volatile @Nullable CompletableFuture<ThrottleResult> pending;
    private volatile boolean givenBack;

    private Acquisition(List<Limit> limits) {
        this.limits = List.copyOf(limits);
    }

    /**
     * Asks the first throttle now, and the other throttles in turn.
     *
     * @param clients the caller at each throttle. Without throttles every request passes
     * @param cost at each throttle, as for {@link ThrottleClient#acquire}
     * @return in progress, or already ended if all throttles answered at once
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public static Acquisition begin(List<ThrottleClient> clients, long cost) {
        return of(clients.stream().map(client -> client.limit(cost)).toList());
    }

    /**
     * Like {@link #begin}, but never waits for tokens.
     *
     * @param clients the caller at each throttle. Without throttles every request passes
     * @param cost at each throttle, as for {@link ThrottleClient#acquireWithoutWait}
     * @return in progress, or already ended if all throttles answered at once
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public static Acquisition beginWithoutWait(List<ThrottleClient> clients, long cost) {
        return of(clients.stream().map(client -> client.limitWithoutWait(cost)).toList());
    }

    static Acquisition of(List<Limit> limits) {
        Acquisition acquisition = new Acquisition(limits);
        acquisition.askFrom(0);
        Futures.onEnd(acquisition.result, (answer, failure) -> acquisition.end(answer));
        return acquisition;
    }

    /**
     * The result of all throttles together. If a caller cancels the future, or completes the future with a rejection, the
     * pending throttle ends the same way.
     *
     * @return completes with the first rejection, or with the sum of all throttles; on a thread as described at
     *     {@link ThrottleClient#acquire}
     */
    public CompletableFuture<ThrottleResult> result() {
        return result;
    }

    /**
     * The answers of the throttles that have passed the request so far.
     *
     * @return in the order of the throttles; a copy
     */
    public List<Passed> passed() {
        return List.copyOf(passed);
    }

    /**
     * The last asked throttle.
     *
     * @return the index of the throttle; 0 without throttles
     */
    public int position() {
        return position;
    }

    private void askFrom(int first) {
        for (int i = first; i < limits.size(); i++) {
            position = i;
            Limit limit = limits.get(i);
            asked.add(limit);
            CompletableFuture<ThrottleResult> answer = limit.ask();
            pending = answer;
            if (givenBack) {
                // The result was completed just before this limit was asked.
                limit.giveBack();
            }
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

    private void end(@Nullable ThrottleResult answer) {
        endPending(answer);
        if (!(answer instanceof Passed)) {
            giveBack();
        }
    }

    /** Returns the tokens of all asked limits, also if all limits have passed the request. */
    void giveBack() {
        givenBack = true;
        asked.forEach(Limit::giveBack);
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
