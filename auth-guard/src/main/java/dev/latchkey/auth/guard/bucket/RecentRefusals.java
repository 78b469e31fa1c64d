package dev.latchkey.auth.guard.bucket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spares a shared store the questions of a flood. A bucket that was empty is taken to be empty for {@value #MILLIS} milliseconds more, unless a token
 * comes back to it on this node. So an attacked account costs a node fifty questions in a second, however many attempts there are. A token that comes
 * back on another node is seen that much later. Only refusals are remembered: for each login that is admitted, the store was asked.
 *
 * <p>Safe for use by any number of threads.
 */
final class RecentRefusals implements BucketStore {

    private static final int MILLIS = 20;
    private static final int MOST = 10_000;

    private record Bucket(String name, BucketKey key) {}

    private final BucketStore store;
    private final Cache<Bucket, CompletionStage<BucketTake>> refused;

    /** How many tokens have come back: an answer from before the last of them is not remembered. */
    private final AtomicLong returns = new AtomicLong();

    RecentRefusals(BucketStore store, GuardTime time) {
        this.store = store;
        this.refused = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(Duration.ofMillis(MILLIS))
                .ticker(time::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        Bucket bucket = new Bucket(policy.name(), key);
        CompletionStage<BucketTake> known = refused.getIfPresent(bucket);
        if (known != null) {
            return known;
        }
        long before = returns.get();
        return store.take(policy, key).thenApply(take -> {
            if (take != null && !take.taken()) {
                remember(bucket, take, before);
            }
            return take;
        });
    }

    /**
     * Puts the refusal in, and then looks whether a token came back meanwhile. A token that comes back is counted first and takes the refusal out
     * then, so one of the two sees the other.
     */
    private void remember(Bucket bucket, BucketTake refusal, long before) {
        refused.put(bucket, CompletableFuture.completedStage(refusal));
        if (returns.get() != before) {
            refused.invalidate(bucket);
        }
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        Bucket bucket = new Bucket(policy.name(), key);
        CompletableFuture<Object> done = new CompletableFuture<>();
        Futures.onEnd(store.giveBack(policy, key, tokens), (answer, failure) -> {
            returns.incrementAndGet();
            refused.invalidate(bucket);
            if (failure == null) {
                done.complete(bucket);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }

    @Override
    public void changed(BucketPolicy policy) {
        refused.invalidateAll();
        store.changed(policy);
    }
}
