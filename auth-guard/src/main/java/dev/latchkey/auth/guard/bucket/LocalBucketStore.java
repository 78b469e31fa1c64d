package dev.latchkey.auth.guard.bucket;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import dev.latchkey.auth.guard.GuardTime;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.local.LockFreeBucket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buckets of Bucket4j in memory: one bounded Caffeine map per policy's name, so that keys of one kind cannot evict keys
 * of another.
 *
 * <p>A bucket is forgotten after the policy's longest window without use; the bucket is full by then. With too many
 * buckets, the map also forgets the least used buckets. A forgotten bucket is full at its next use. To exploit this, an
 * attacker needs more distinct keys within a window than the map holds. Each key costs a request that passed the limit
 * of its source.
 *
 * <p>The buckets are lock-free. No call waits for a network or for another login. Safe for use by any number of
 * threads.
 */
public final class LocalBucketStore implements BucketStore {

    private static final int DEFAULT_MAX_BUCKETS = 100_000;
    private static final CompletionStage<BucketTake> TAKEN = CompletableFuture.completedStage(BucketTake.TAKEN);

    private record Kind(BucketMaker maker, Cache<BucketKey, LockFreeBucket> buckets) {}

    /** By policy. Policies with the same name share their buckets, and differ in their windows. */
    private final Map<BucketPolicy, Kind> kinds = new ConcurrentHashMap<>();

    private final Map<String, Cache<BucketKey, LockFreeBucket>> buckets = new ConcurrentHashMap<>();
    private final int maxBuckets;
    private final GuardTime time;

    private LocalBucketStore(int maxBuckets, GuardTime time) {
        this.maxBuckets = maxBuckets;
        this.time = time;
    }

    /**
     * Creates a store of at most 100,000 buckets for each policy's name.
     *
     * @param time for the refill of tokens
     * @return an empty store
     */
    public static LocalBucketStore create(GuardTime time) {
        return create(time, DEFAULT_MAX_BUCKETS);
    }

    /**
     * Creates a store with another limit on the buckets of each policy.
     *
     * @param time for the refill of tokens
     * @param maxBucketsPerPolicy at least 1
     * @return an empty store
     * @throws IllegalArgumentException if the number is not positive
     */
    public static LocalBucketStore create(GuardTime time, int maxBucketsPerPolicy) {
        if (maxBucketsPerPolicy < 1) {
            throw new IllegalArgumentException(
                    "There must be room for at least 1 bucket of each policy, got " + maxBucketsPerPolicy);
        }
        return new LocalBucketStore(maxBucketsPerPolicy, time);
    }

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        ConsumptionProbe probe = bucket(policy, key).tryConsumeAndReturnRemaining(1);
        return probe.isConsumed()
                ? TAKEN
                : CompletableFuture.completedStage(
                        BucketTake.denied(Duration.ofNanos(probe.getNanosToWaitForRefill())));
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        bucket(policy, key).addTokens(tokens);
        return TAKEN;
    }

    @Override
    public void changed(BucketPolicy policy) {
        kinds.keySet().removeIf(other -> other.name().equals(policy.name()) && !other.equals(policy));
        Kind kind = kindOf(policy);
        kind.buckets().asMap().values().forEach(kind.maker()::adopt);
    }

    /**
     * The number of buckets of all policies. The duration of the call grows with the number: use this method for
     * metrics and tests only.
     *
     * @return the number of buckets in memory
     */
    public long size() {
        return buckets.values().stream().mapToLong(LocalBucketStore::sizeOf).sum();
    }

    private static long sizeOf(Cache<BucketKey, LockFreeBucket> buckets) {
        buckets.cleanUp();
        return buckets.estimatedSize();
    }

    private Bucket bucket(BucketPolicy policy, BucketKey key) {
        Kind kind = kindOf(policy);
        LockFreeBucket bucket = kind.buckets().get(key, any -> kind.maker().make());
        kind.maker().adopt(bucket);
        return bucket;
    }

    private Kind kindOf(BucketPolicy policy) {
        return kinds.computeIfAbsent(policy, this::kind);
    }

    private Kind kind(BucketPolicy policy) {
        Duration fullAgainAfter = policy.fullAgainAfter();
        Cache<BucketKey, LockFreeBucket> ofThisName = buckets.compute(
                policy.name(), (name, found) -> found == null ? cache(fullAgainAfter) : kept(found, fullAgainAfter));
        return new Kind(BucketMaker.of(policy, time), ofThisName);
    }

    private Cache<BucketKey, LockFreeBucket> cache(Duration since) {
        return Caffeine.newBuilder()
                .maximumSize(maxBuckets)
                .expireAfterAccess(since)
                .ticker(time::nanoTime)
                .build();
    }

    /** Extends the expiry and never shortens it: a bucket with a long window is full again only after this window. */
    private static Cache<BucketKey, LockFreeBucket> kept(Cache<BucketKey, LockFreeBucket> buckets, Duration since) {
        Policy.FixedExpiration<BucketKey, LockFreeBucket> expiry =
                buckets.policy().expireAfterAccess().orElseThrow();
        if (since.compareTo(expiry.getExpiresAfter()) > 0) {
            expiry.setExpiresAfter(since);
        }
        return buckets;
    }
}
