package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One check, and who is told what it was worth to the limits, on each of its ways out. */
final class GuardedCheck<T> {

    private final Callable<? extends T> check;
    private final Function<? super T, AttemptResult> resultOf;
    private final CompletableFuture<T> answer;
    private final Consumer<AttemptResult> ended;
    private volatile boolean begun;

    /** @param ended told once */
    GuardedCheck(
            Callable<? extends T> check,
            Function<? super T, AttemptResult> resultOf,
            CompletableFuture<T> answer,
            Consumer<AttemptResult> ended) {
        this.check = check;
        this.resultOf = resultOf;
        this.answer = answer;
        this.ended = ended;
    }

    /** @param leave gives the account's turn to the next */
    void run(HashingPool pool, HashDemand demand, Runnable leave) {
        CompletableFuture<T> hash = pool.submit(demand, this::begin);
        onAnswered(() -> {
            if (!begun) {
                hash.cancel(false);
            }
        });
        Stages.onEnd(hash, (value, failure) -> {
            // Settled before it is told, so that whoever asks again with the answer in hand finds the token back.
            ended.accept(failure == null ? resultOf(value) : resultOf(failure));
            leave.run();
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(Stages.cause(failure));
            }
        });
    }

    /** It never came to a hash. */
    void refuse(@Nullable Throwable failure) {
        ended.accept(AttemptResult.NOT_ATTEMPTED);
        answer.completeExceptionally(
                failure == null
                        ? new CancellationException("Nobody waits for this login any more")
                        : Stages.cause(failure));
    }

    void onAnswered(Runnable action) {
        Stages.onEnd(answer, (value, failure) -> action.run());
    }

    private T begin() throws Exception {
        begun = true;
        if (answer.isDone()) {
            begun = false;
            throw new CancellationException("Nobody waits for this login any more");
        }
        return check.call();
    }

    private AttemptResult resultOf(T value) {
        try {
            return resultOf.apply(value);
        } catch (RuntimeException e) {
            return AttemptResult.FAILED;
        }
    }

    /** What breaks a check must not be a way round the limits. */
    private AttemptResult resultOf(Throwable failure) {
        boolean noPasswordChecked = Stages.cause(failure) instanceof AuthUnavailableException || !begun;
        return noPasswordChecked ? AttemptResult.NOT_ATTEMPTED : AttemptResult.FAILED;
    }
}
