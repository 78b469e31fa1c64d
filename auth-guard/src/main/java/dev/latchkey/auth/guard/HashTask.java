package dev.latchkey.auth.guard;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One hash, waiting or running; {@link #deadline} is guarded by the queue's lock. */
final class HashTask<T> {

    private final Callable<? extends T> work;
    final long memoryBytes;
    final long submittedAt;
    final CompletableFuture<T> result = new CompletableFuture<>();

    @Nullable
    WakeUp deadline;

    HashTask(Callable<? extends T> work, long memoryBytes, long submittedAt) {
        this.work = work;
        this.memoryBytes = memoryBytes;
        this.submittedAt = submittedAt;
    }

    /** No longer waits: the wake-up at its deadline is not needed. */
    void callOff() {
        if (deadline != null) {
            deadline.cancel();
        }
    }

    /** What the work came to; kept apart from telling it, so that the thread and its memory are free before anybody knows. */
    record Outcome(boolean threw, Runnable tell) {}

    /**
     * Does the work. Whatever it throws is an outcome, an {@link Error} too: a missing class in one encoder must leave no
     * request hanging and no thread of the pool gone.
     */
    Outcome compute() {
        try {
            T value = work.call();
            return new Outcome(false, () -> result.complete(value));
        } catch (Throwable e) {
            return new Outcome(true, () -> result.completeExceptionally(e));
        }
    }
}
