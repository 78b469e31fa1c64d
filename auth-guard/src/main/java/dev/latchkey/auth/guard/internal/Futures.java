package dev.latchkey.auth.guard.internal;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Waits for futures, and unwraps their failures. Stateless. */
public final class Futures {

    private Futures() {}

    /**
     * Waits for the value. An interruption cancels the future, because no thread will read the answer; the thread stays
     * interrupted.
     *
     * @param <T> the type of the value
     * @param future completed by another thread
     * @return the value
     * @throws AuthUnavailableException of kind {@code OUTAGE} if the thread is interrupted
     * @throws RuntimeException the future's own exception, unwrapped; an {@link IllegalStateException} with the cause
     *     for a checked exception. An {@link Error} is thrown unwrapped too
     */
    public static <T> T join(CompletableFuture<T> future) {
        if (future.isDone() && !future.isCompletedExceptionally()) {
            return future.join();
        }
        Throwable failure = failureOf(future);
        if (failure == null) {
            return future.join();
        }
        Throwable cause = cause(failure);
        if (cause instanceof RuntimeException exception) {
            throw exception;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("A login failed with an exception that nobody declared", cause);
    }

    /**
     * Waits for the failure, and returns the failure as a value. A future that throws creates a wrapper first, and the
     * stack trace of the wrapper is too expensive for a rejection.
     */
    private static @Nullable Throwable failureOf(CompletableFuture<?> future) {
        try {
            return future.<@Nullable Throwable>handle((value, failure) -> failure)
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                // The value has come meanwhile. A dropped reservation would stay open for ever.
                return null;
            }
            throw AuthUnavailableException.outage("Interrupted while waiting for a login to be checked", e);
        } catch (ExecutionException e) {
            return e;
        }
    }

    /**
     * Waits for the future to end, for a limited time. An interruption ends the wait, and the thread stays interrupted.
     *
     * @param micros the longest wait, in microseconds
     * @param future the caller reads its value or failure
     * @return whether the future has ended in any way
     */
    public static boolean isDoneWithin(long micros, CompletableFuture<?> future) {
        if (!future.isDone()) {
            try {
                var unused = future.get(micros, TimeUnit.MICROSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException | CancellationException e) {
                // The caller reads the result.
            }
        }
        return future.isDone();
    }

    /**
     * Runs the action after the stage has ended: on this thread if the stage has already ended, else on the completing
     * thread.
     *
     * @param <T> the type of the value
     * @param stage its result does not change
     * @param action receives the value and null, or null and the failure
     */
    public static <T> void onEnd(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        stage.whenComplete(action);
    }

    /**
     * The failure without the wrappers of dependent futures.
     *
     * @param failure as received from a future
     * @return the first cause that is neither a {@link CompletionException} nor an {@link ExecutionException}; the
     *     innermost wrapper if this wrapper has no cause
     */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
