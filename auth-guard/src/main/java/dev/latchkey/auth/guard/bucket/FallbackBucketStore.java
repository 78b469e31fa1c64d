package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shared store, and a local one for when it is down: never everybody refused, never nobody limited.
 *
 * <p>The first failure is logged once and makes limits local; after a pause one request asks the shared store again, and so
 * on until it answers, which is logged once too. A store that does not answer in time has failed: a login asks it once by its name and once by the account
 * that was found, and each of the two has {@value #PATIENCE_MILLIS} milliseconds for all its questions together. What a bucket held in the
 * other store is not carried over: each node allows the full limit once, at most.
 */
public final class FallbackBucketStore implements BucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(FallbackBucketStore.class);
    private static final int PATIENCE_MILLIS = 20;
    private static final long PATIENCE_NANOS =
            Duration.ofMillis(PATIENCE_MILLIS).toNanos();
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** In {@link #askAgainAt}: the shared store is up. */
    private static final long UP = Long.MIN_VALUE;

    private final BucketStore shared;
    private final BucketStore local;
    private final GuardTime time;
    private final GuardEvents events;
    private final AtomicLong askAgainAt = new AtomicLong(UP);

    private FallbackBucketStore(BucketStore shared, BucketStore local, GuardTime time, GuardEvents events) {
        this.shared = shared;
        this.local = local;
        this.time = time;
        this.events = events;
    }

    public static FallbackBucketStore of(
            BucketStore shared, BucketStore local, GuardTime time, GuardListener listener) {
        return new FallbackBucketStore(shared, local, time, new GuardEvents(listener));
    }

    /** This store, which is spared the questions of floods, and local limits for when it is down. */
    public static FallbackBucketStore shared(BucketStore store, GuardTime time, GuardListener listener) {
        return of(new RecentRefusals(store, time), LocalBucketStore.create(time), time, listener);
    }

    @Override
    public BucketStore forOneLogin() {
        return new OneLogin();
    }

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        return take(policy, key, PATIENCE_NANOS);
    }

    private CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key, long nanos) {
        return first(store -> store.take(policy, key), nanos, late -> {
            // The login has a token of the local store instead.
            if (late.taken()) {
                shared.giveBack(policy, key, 1);
            }
        });
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        return first(
                store -> store.giveBack(policy, key, tokens).thenApply(done -> BucketTake.TAKEN),
                PATIENCE_NANOS,
                late -> {});
    }

    @Override
    public void changed(BucketPolicy policy) {
        local.changed(policy);
        shared.changed(policy);
    }

    /** What a login has waited for is taken from what it may wait for its next question. */
    private final class OneLogin implements BucketStore {

        private final AtomicLong left = new AtomicLong(PATIENCE_NANOS);

        @Override
        public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
            long begun = time.nanoTime();
            return FallbackBucketStore.this.take(policy, key, left.get()).whenComplete((take, failure) -> {
                left.addAndGet(begun - time.nanoTime());
            });
        }

        @Override
        public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
            return FallbackBucketStore.this.giveBack(policy, key, tokens);
        }
    }

    /** @param onLate told of an answer that came when nobody waited for it any more */
    private CompletionStage<BucketTake> first(
            Function<BucketStore, CompletionStage<BucketTake>> question, long nanos, Consumer<BucketTake> onLate) {
        long due = askAgainAt.get();
        boolean isUp = due == UP;
        if (!isUp && !isTurnToAskAgain(due)) {
            return question.apply(local);
        }
        return inTime(ask(question), nanos, onLate)
                .handle((take, failure) -> {
                    if (failure == null) {
                        // What was asked before the store was lost says nothing of whether it is back.
                        if (!isUp) {
                            found();
                        }
                        return CompletableFuture.completedStage(take);
                    }
                    lost(Futures.cause(failure));
                    return question.apply(local);
                })
                .thenCompose(Function.identity());
    }

    private CompletableFuture<BucketTake> inTime(
            CompletionStage<BucketTake> question, long nanos, Consumer<BucketTake> onLate) {
        CompletableFuture<BucketTake> answer = new CompletableFuture<>();
        GuardTime.WakeUp end = time.after(
                Duration.ofNanos(Math.max(0, nanos)),
                () -> answer.completeExceptionally(
                        new TimeoutException("It took a login longer than " + PATIENCE_MILLIS + " ms")));
        Futures.onEnd(question, (take, failure) -> {
            end.cancel();
            if (take == null) {
                answer.completeExceptionally(failure != null ? failure : new IllegalStateException("Answered null"));
            } else if (!answer.complete(take)) {
                onLate.accept(take);
            }
        });
        return answer;
    }

    /** A store that throws instead of failing its stage is down all the same. */
    private CompletionStage<BucketTake> ask(Function<BucketStore, CompletionStage<BucketTake>> question) {
        try {
            return question.apply(shared);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Whether it is this request's turn to find out whether the shared store is back. */
    private boolean isTurnToAskAgain(long due) {
        long now = time.nanoTime();
        return now - due >= 0 && askAgainAt.compareAndSet(due, now + PAUSE.toNanos());
    }

    private void lost(Throwable failure) {
        if (askAgainAt.compareAndSet(UP, time.nanoTime() + PAUSE.toNanos())) {
            LOG.warn("The shared store of login limits does not answer; limits are local until it does", failure);
            events.on(new GuardEvent.StoreLost());
        }
    }

    private void found() {
        if (askAgainAt.getAndSet(UP) != UP) {
            LOG.info("The shared store of login limits answers again");
            events.on(new GuardEvent.StoreFound());
        }
    }
}
