package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Waiting for a stage, and what it failed with. */
final class Stages {

    private Stages() {}

    /**
     * Waits for the value. An interruption cancels the future: nobody is left to read the answer.
     *
     * @throws Exception that the future failed with, without the wrapping
     */
    static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(false);
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("Interrupted while waiting for a login to be checked", e);
        } catch (ExecutionException e) {
            Throwable cause = cause(e);
            if (cause instanceof Exception exception) {
                throw exception;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Runs the action when the stage is done, however it ends: with a value and no failure, or the other way round. */
    static <T> void onEnd(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        stage.whenComplete(action);
    }

    /** What went wrong, without the wrapping that each dependent stage adds. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
