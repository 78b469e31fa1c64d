package dev.latchkey.auth.client.http;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of exchanges. Cancelling the whole cancels the current exchange. With a composed future alone, the current
 * exchange would continue.
 */
final class CancellableSteps {

    private final Object lock = new Object();

    /** Guarded by the lock. */
    @Nullable
    private CompletableFuture<?> present;

    /** Guarded by the lock. */
    private boolean isCancelled;

    /** Starts the next exchange, unless the whole is cancelled. */
    <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> exchange) {
        synchronized (lock) {
            if (isCancelled) {
                return CompletableFuture.failedFuture(new CancellationException("The request was cancelled"));
            }
            CompletableFuture<T> begun = exchange.get();
            present = begun;
            return begun;
        }
    }

    /** Links the sequence to the caller's future: cancelling the future cancels the sequence. */
    @SuppressWarnings("FutureReturnValueIgnored") // the action at the end never fails
    <T> CompletableFuture<T> endingWith(CompletableFuture<T> whole) {
        whole.whenComplete((result, failure) -> {
            if (whole.isCancelled()) {
                cancel();
            }
        });
        return whole;
    }

    private void cancel() {
        CompletableFuture<?> last;
        synchronized (lock) {
            isCancelled = true;
            last = present;
        }
        if (last != null) {
            last.cancel(true);
        }
    }
}
