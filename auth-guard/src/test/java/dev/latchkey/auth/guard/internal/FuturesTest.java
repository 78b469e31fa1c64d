package dev.latchkey.auth.guard.internal;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FuturesTest {

    private static final long A_MINUTE = 60_000_000;

    private final CompletableFuture<String> future = new CompletableFuture<>();

    /** The result of a new thread that waits for this future until the event happens. */
    private static <T> T whileAThreadWaits(Supplier<T> waiting, WhatHappens to) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(waiting.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        until(() -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        to.happenTo(thread);
        return result.join();
    }

    private interface WhatHappens {
        void happenTo(Thread thread);
    }

    @Test
    void value_isWaitedFor() {
        assertThat(whileAThreadWaits(() -> Futures.join(future), thread -> future.complete("value")))
                .isEqualTo("value");
        assertThat(Futures.join(future)).as("that is there").isEqualTo("value");
    }

    @Test
    void failure_comesOutWithoutItsWrapping() {
        RuntimeException down = AuthUnavailableException.outage("The store is down");
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(new CompletionException(down))))
                .isSameAs(down);
        Error missing = new NoClassDefFoundError("missing");
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(missing)))
                .isSameAs(missing);
        IOException undeclared = new IOException("undeclared");
        assertThatThrownBy(() -> Futures.join(CompletableFuture.failedFuture(undeclared)))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(undeclared);
    }

    @Test
    void interruptedThread_getsAnOutage_staysInterrupted_andTheValueIsNotRead() {
        Supplier<Boolean> join = () -> {
            assertThatThrownBy(() -> Futures.join(future)).isInstanceOf(AuthUnavailableException.class);
            return Thread.currentThread().isInterrupted();
        };
        assertThat(whileAThreadWaits(join, Thread::interrupt)).isTrue();
        assertThat(future).isCancelled();
    }

    @Test
    void futureThatEndsInTime_isDone_forEveryOutcome() {
        assertThat(Futures.isDoneWithin(0, CompletableFuture.completedFuture("value")))
                .isTrue();
        assertThat(whileAThreadWaits(() -> Futures.isDoneWithin(A_MINUTE, future), thread -> future.complete("value")))
                .isTrue();
        CompletableFuture<String> fails = new CompletableFuture<>();
        assertThat(whileAThreadWaits(
                        () -> Futures.isDoneWithin(A_MINUTE, fails),
                        thread -> fails.completeExceptionally(new IOException("fails"))))
                .isTrue();
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        assertThat(whileAThreadWaits(
                        () -> Futures.isDoneWithin(A_MINUTE, cancelled), thread -> cancelled.cancel(false)))
                .isTrue();
    }

    @Test
    void futureThatIsLate_isNotDone_andGoesOn() {
        assertThat(Futures.isDoneWithin(1, future)).isFalse();
        assertThat(future).isNotDone();
    }

    @Test
    void interruptionEndsTheWait_andIsKept() {
        Supplier<Boolean> wait = () -> !Futures.isDoneWithin(A_MINUTE, future)
                && Thread.currentThread().isInterrupted();
        assertThat(whileAThreadWaits(wait, Thread::interrupt)).isTrue();
        assertThat(future).isNotDone();
    }

    /** Otherwise nobody would settle an admitted login. */
    @Test
    void valueThatComesWithTheInterrupt_isReturned() {
        CompletableFuture<String> late = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                complete("value");
                return false;
            }
        };
        Thread.currentThread().interrupt();
        assertThat(Futures.join(late)).isEqualTo("value");
        assertThat(Thread.interrupted()).isTrue();
    }
}
