package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A shared store, and a local one for when it is down, so that an outage neither refuses everybody nor leaves anybody unlimited.
 *
 * <p>A failure makes limits local until the store answers again, which {@link StoreWatch} finds out. A store that does not answer in time has failed.
 * A login asks it by its name and once more by the account that was found; each of the two has {@value #PATIENCE_MILLIS} milliseconds for all its
 * questions together. What a bucket held in the other store is not carried over, so each node allows the full limit once, at most.
 *
 * <p>Safe for use by any number of threads.
 */
public final class FallbackBucketStore implements BucketStore {

    private static final int PATIENCE_MILLIS = 20;
    private static final long PATIENCE_NANOS =
            Duration.ofMillis(PATIENCE_MILLIS).toNanos();

    private final BucketStore shared;
    private final BucketStore local;
    private final GuardTime time;
    private final StoreWatch watch;

    private FallbackBucketStore(BucketStore shared, BucketStore local, GuardTime time, StoreWatch watch) {
        this.shared = shared;
        this.local = local;
        this.time = time;
        this.watch = watch;
    }

    /**
     * The shared store as it is, and this local one.
     *
     * @param shared asked as long as it answers
     * @param local asked while it does not
     * @param time bounds how long the shared store may take
     * @param listener hears when the shared store is lost and found
     * @return a store whose answers fail only if the local one fails
     */
    public static FallbackBucketStore of(
            BucketStore shared, BucketStore local, GuardTime time, GuardListener listener) {
        GuardEvents events = new GuardEvents(listener);
        StoreWatch watch = new StoreWatch(
                "login limits",
                "limits are local",
                time,
                () -> events.on(new GuardEvent.StoreLost()),
                () -> events.on(new GuardEvent.StoreFound()));
        return new FallbackBucketStore(shared, local, time, watch);
    }

    /**
     * The shared store behind what spares it the questions of floods, and local limits for when it is down.
     *
     * @param store that several nodes share
     * @param time bounds how long the store may take
     * @param listener hears when the store is lost and found
     * @return a store whose answers do not fail
     */
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
        CompletableFuture<BucketTake> answer =
                watch.ask(() -> question.apply(shared), nanos, onLate).orElse(null);
        if (answer == null) {
            return question.apply(local);
        }
        return answer.handle((take, failure) ->
                        failure == null ? CompletableFuture.completedStage(take) : question.apply(local))
                .thenCompose(Function.identity());
    }
}
