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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shared store, and a local one for when it is down: never everybody refused, never nobody limited.
 *
 * <p>The first failure is logged once and makes limits local; after a pause one request asks the shared store again, and so
 * on until it answers, which is logged once too. A store that does not answer in time has failed. What a bucket held in the
 * other store is not carried over: each node allows the full limit once, at most.
 */
public final class FallbackBucketStore implements BucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(FallbackBucketStore.class);
    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration PAUSE = Duration.ofSeconds(5);

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

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        return first(store -> store.take(policy, key));
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        return first(store -> store.giveBack(policy, key, tokens).thenApply(done -> BucketTake.TAKEN));
    }

    @Override
    public void changed(BucketPolicy policy) {
        local.changed(policy);
        shared.changed(policy);
    }

    private CompletionStage<BucketTake> first(Function<BucketStore, CompletionStage<BucketTake>> question) {
        if (!isSharedTried()) {
            return question.apply(local);
        }
        CompletableFuture<BucketTake> answer = new CompletableFuture<>();
        GuardTime.WakeUp end = time.after(
                PATIENCE,
                () -> answer.completeExceptionally(
                        new TimeoutException("No answer within " + PATIENCE.toMillis() + " ms")));
        ask(question).whenComplete((take, failure) -> {
            end.cancel();
            complete(answer, take, failure);
        });
        return answer.handle((take, failure) -> {
                    if (failure == null) {
                        found();
                        return CompletableFuture.completedStage(take);
                    }
                    lost(Futures.cause(failure));
                    return question.apply(local);
                })
                .thenCompose(Function.identity());
    }

    /** A store that throws instead of failing its stage is down all the same. */
    private CompletionStage<BucketTake> ask(Function<BucketStore, CompletionStage<BucketTake>> question) {
        try {
            return question.apply(shared);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static void complete(
            CompletableFuture<BucketTake> answer, @Nullable BucketTake take, @Nullable Throwable failure) {
        if (take != null) {
            answer.complete(take);
        } else {
            answer.completeExceptionally(failure != null ? failure : new IllegalStateException("Answered null"));
        }
    }

    /** Whether the shared store is up, or it is this request's turn to find out. */
    private boolean isSharedTried() {
        long due = askAgainAt.get();
        long now = time.nanoTime();
        return due == UP || (now - due >= 0 && askAgainAt.compareAndSet(due, now + PAUSE.toNanos()));
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
