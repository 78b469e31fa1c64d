package dev.latchkey.auth.client.http;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Exchanges that follow each other, of which the present one ends where the whole is cancelled. A composed future alone would let it go on. */
final class CancellableSteps {

    private final Object lock = new Object();

    /** Guarded by the lock. */
    @Nullable
    private CompletableFuture<?> present;

    /** Guarded by the lock. */
    private boolean isCancelled;

    /** Begins the next one, unless the whole is cancelled. */
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

    /** The whole, which is cancelled as one. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is done at the end fails nowhere
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
