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

/** Waits for futures, and says what they failed with. */
public final class Futures {

    private Futures() {}

    /**
     * Waits for the value. An interruption cancels the future: nobody is left to read the answer.
     *
     * @throws RuntimeException that the future failed with, without the wrapping
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

    /** Waits for the failure itself, and not for what a future wraps it in: a stack trace of that costs more than a refusal may. */
    private static @Nullable Throwable failureOf(CompletableFuture<?> future) {
        try {
            return future.<@Nullable Throwable>handle((value, failure) -> failure)
                    .get();
        } catch (InterruptedException e) {
            future.cancel(false);
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("Interrupted while waiting for a login to be checked", e);
        } catch (ExecutionException e) {
            return e;
        }
    }

    /** Whether it is done, however it ended, after waiting for so long at most; the thread stays interrupted. */
    public static boolean isDoneWithin(long micros, CompletableFuture<?> future) {
        if (!future.isDone()) {
            try {
                var unused = future.get(micros, TimeUnit.MICROSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException | CancellationException e) {
                // The caller reads how it ended.
            }
        }
        return future.isDone();
    }

    /** Runs the action when it is done, however it ends: with a value and no failure, or the other way round. */
    public static <T> void onEnd(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        stage.whenComplete(action);
    }

    /** What went wrong, without the wrapping that each dependent future adds. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
