package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.OutageLog;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks a store that nodes share, and knows whether it answers. A question that fails, or is answered late, has lost it; from then on one question in a second
 * finds out whether it is back. Each change is one event; the log has what {@link OutageLog} makes of it. Safe for use by any number of threads.
 */
public final class StoreWatch {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** In {@link #askAgainAt}: the store is up. */
    private static final long UP = Long.MIN_VALUE;

    private final GuardEvent.Shared what;
    private final GuardTime time;
    private final GuardEvents events;
    private final String name;
    private final OutageLog outages;
    private final AtomicLong askAgainAt = new AtomicLong(UP);

    /** @param what is kept in the store, for the log and the events */
    public StoreWatch(GuardEvent.Shared what, GuardTime time, GuardListener listener) {
        this.what = what;
        this.time = time;
        this.events = new GuardEvents(listener);
        this.name = "The shared store of " + what.text();
        this.outages = OutageLog.ofStores(() -> Instant.EPOCH.plusNanos(time.nanoTime()));
    }

    /** Whether the store did not answer when it was asked last. */
    public boolean isLost() {
        return askAgainAt.get() != UP;
    }

    /** Whether {@link #ask} would ask now; another question may be faster. */
    public boolean isAsked() {
        long due = askAgainAt.get();
        return due == UP || time.nanoTime() - due >= 0;
    }

    /**
     * Asks, unless the store is lost and it is not yet time to find out whether it is back.
     *
     * @param question a store that throws instead of failing its stage is lost all the same
     * @param nanos how long the answer may take; later the future fails
     * @param onLate told of an answer that came when nobody waited for it any more
     */
    public <T> Optional<CompletableFuture<T>> ask(
            Supplier<? extends CompletionStage<T>> question, long nanos, Consumer<T> onLate) {
        long due = askAgainAt.get();
        boolean isUp = due == UP;
        if (!isUp && !isTurnToAskAgain(due)) {
            return Optional.empty();
        }
        return Optional.of(inTime(begun(question), nanos, onLate).whenComplete((answer, failure) -> {
            if (failure != null) {
                lost(Futures.cause(failure));
            } else {
                answered(isUp);
            }
        }));
    }

    private static <T> CompletionStage<T> begun(Supplier<? extends CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private <T> CompletableFuture<T> inTime(CompletionStage<T> question, long nanos, Consumer<T> onLate) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Duration patience = Duration.ofNanos(Math.max(0, nanos));
        GuardTime.WakeUp end = time.after(
                patience, () -> answer.completeExceptionally(new TimeoutException("No answer came in time")));
        Futures.onEnd(question, (value, failure) -> {
            end.cancel();
            if (value == null) {
                answer.completeExceptionally(failure != null ? failure : new IllegalStateException("Answered null"));
            } else if (!answer.complete(value)) {
                onLate.accept(value);
            }
        });
        return answer;
    }

    /** Whether it is this question's turn to find out whether the store is back. */
    private boolean isTurnToAskAgain(long due) {
        long now = time.nanoTime();
        return now - due >= 0 && askAgainAt.compareAndSet(due, now + PAUSE.toNanos());
    }

    private void lost(Throwable failure) {
        if (askAgainAt.compareAndSet(UP, time.nanoTime() + PAUSE.toNanos())) {
            events.on(new GuardEvent.StoreLost(what));
        }
        log(() -> {
            throw AuthUnavailableException.outage(what.meanwhile() + " until it does", failure);
        });
    }

    /** What was asked before the store was lost says nothing of whether it is back. */
    private void answered(boolean wasUp) {
        if (!wasUp && askAgainAt.getAndSet(UP) != UP) {
            events.on(new GuardEvent.StoreFound(what));
        }
        if (!isLost()) {
            log(() -> {});
        }
    }

    private void log(Runnable outcome) {
        try {
            outages.run(name, outcome);
        } catch (AuthUnavailableException e) {
            // The log has it.
        }
    }
}
