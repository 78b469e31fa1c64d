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
 * Protects a shared store from the questions of a flood. An empty bucket counts as empty for {@value #MILLIS} more
 * milliseconds, unless this node returns a token. Therefore an attacked account costs a node at most fifty questions
 * per second. A token returned by another node is seen later by this time. Only denials are remembered: the store was
 * asked for each admitted login.
 *
 * <p>Safe for use by any number of threads.
 */
final class RecentRefusals implements BucketStore {

    private static final int MILLIS = 20;
    private static final int MOST = 10_000;

    private record Bucket(String name, BucketKey key) {}

    private final BucketStore store;
    private final Cache<Bucket, CompletionStage<BucketTake>> refused;

    /** The number of returned tokens: an answer older than the last return is not remembered. */
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
     * Stores the denial, and then checks for returned tokens. A return first increments the counter and then removes
     * the denial, so one of the two threads sees the other.
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
