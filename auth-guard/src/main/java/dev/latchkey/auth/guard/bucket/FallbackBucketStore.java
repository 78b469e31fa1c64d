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
 * A shared store with a local store for outages. During an outage, callers are neither all rejected nor unlimited.
 *
 * <p>After a failure the limits are local until {@link StoreWatch} finds that the store answers again. A late answer
 * counts as a failure. A login asks the store by the presented name, and then by each found account. The questions by
 * name together have {@value #PATIENCE_MILLIS} milliseconds, and so have the questions by one account. A login that waited
 * for other logins has this time again at each turn. Tokens spent in
 * one store are not transferred to the other. During outages, each node therefore allows the full limit in addition to
 * the shared limit.
 *
 * <p>Safe for use by any number of threads.
 */
public final class FallbackBucketStore implements BucketStore {

    private static final int PATIENCE_MILLIS = 100;
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

    /** A store whose answers fail only if the local store fails. */
    static FallbackBucketStore of(BucketStore shared, BucketStore local, GuardTime time, GuardListener listener) {
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
     * Combines a shared store with local limits for outages. A cache of recent denials protects the shared store from
     * floods.
     *
     * @param store shared by several nodes
     * @param time limits the wait for the store
     * @param listener receives the loss and the return of the store
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
            // The login has used a token of the local store instead.
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

    /** Subtracts each wait of a login from the time that is left for the next questions of this login. */
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

    /** @param onLate receives an answer that came after the time limit */
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
