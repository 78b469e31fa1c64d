package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.OutageLog;
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
 * Asks a shared store, and knows whether the store answers. The store is lost after a failed or late answer. From then
 * on one question per second tests the store, and the other questions are not sent. Each change is reported once;
 * {@link OutageLog} writes the log. Safe for use by any number of threads.
 */
public final class StoreWatch {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The value of {@link #askAgainAt} while the store answers. */
    private static final long UP = Long.MIN_VALUE;

    private final String meanwhile;
    private final GuardTime time;
    private final Runnable onLost;
    private final Runnable onFound;
    private final String name;
    private final OutageLog outages;

    /** The time of the next test of a lost store; {@link #UP} while the store answers. */
    private final AtomicLong askAgainAt = new AtomicLong(UP);

    /**
     * The store counts as available until a question fails.
     *
     * @param content the store's content, for the log: a few lower-case words
     * @param meanwhile the behaviour during an outage, for the log: a clause, such as {@code limits are local}
     * @param time limits the wait for an answer
     * @param onLost runs when the store is lost; must not throw
     * @param onFound runs when the store answers again; must not throw
     */
    public StoreWatch(String content, String meanwhile, GuardTime time, Runnable onLost, Runnable onFound) {
        this.meanwhile = meanwhile;
        this.time = time;
        this.onLost = onLost;
        this.onFound = onFound;
        this.name = "The shared store of " + content;
        this.outages = OutageLog.ofStores(() -> Instant.EPOCH.plusNanos(time.nanoTime()));
    }

    /**
     * Whether the store is lost.
     *
     * @return whether the last question had no answer in time
     */
    public boolean isLost() {
        return askAgainAt.get() != UP;
    }

    /**
     * Whether {@link #ask} would send a question now.
     *
     * @return a snapshot: if several threads see true while the store is lost, only one asks
     */
    public boolean isAsked() {
        long due = askAgainAt.get();
        return due == UP || time.nanoTime() - due >= 0;
    }

    /**
     * Asks, unless the store is lost and the next test is not due.
     *
     * @param <T> the type of the answer
     * @param question a store that throws instead of failing its stage is lost too
     * @param nanos the time limit for the answer; later the future fails
     * @param onLate receives an answer that came after the time limit
     * @return completes with the answer, which is not null, or exceptionally; empty if the store was not asked
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

    /** True for a single question in each pause, to test the store. */
    private boolean isTurnToAskAgain(long due) {
        long now = time.nanoTime();
        return now - due >= 0 && askAgainAt.compareAndSet(due, now + PAUSE.toNanos());
    }

    private void lost(Throwable failure) {
        if (askAgainAt.compareAndSet(UP, time.nanoTime() + PAUSE.toNanos())) {
            onLost.run();
        }
        outages.failed(name, AuthUnavailableException.outage(meanwhile + " until it does", failure));
    }

    /** A question from before the loss does not show that the store is back. */
    private void answered(boolean wasUp) {
        if (!wasUp && askAgainAt.getAndSet(UP) != UP) {
            onFound.run();
        }
        if (!isLost()) {
            outages.answered(name);
        }
    }
}
