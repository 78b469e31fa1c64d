package dev.latchkey.auth.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buckets of Bucket4j in memory: one bounded Caffeine map per policy, so that keys of one kind cannot push out another's.
 *
 * <p>A bucket is forgotten when it has not been used for the policy's longest window, and is full again by then; and when
 * there are too many, the least useful first, which does give an attacker a full one. To profit, an attacker needs more
 * distinct keys within a window than the map holds, each of which costs a request that passed the limit of its source.
 *
 * <p>Never blocks: the buckets are lock-free. Safe for use by any number of threads.
 */
public final class LocalBucketStore implements BucketStore {

    private static final int DEFAULT_MAX_BUCKETS = 100_000;
    private static final CompletionStage<BucketTake> TAKEN = CompletableFuture.completedStage(BucketTake.TAKEN);

    private record Kind(BucketMaker maker, Cache<BucketKey, Bucket> buckets) {}

    private final Map<BucketPolicy, Kind> kinds = new ConcurrentHashMap<>();
    private final int maxBuckets;
    private final GuardTime time;

    private LocalBucketStore(int maxBuckets, GuardTime time) {
        this.maxBuckets = maxBuckets;
        this.time = time;
    }

    /** At most 100,000 buckets of each policy. */
    public static LocalBucketStore create(GuardTime time) {
        return create(time, DEFAULT_MAX_BUCKETS);
    }

    /**
     * At most so many buckets of each policy.
     *
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

    /** How many buckets there are, of all policies. */
    public long size() {
        return kinds.values().stream().mapToLong(LocalBucketStore::sizeOf).sum();
    }

    private static long sizeOf(Kind kind) {
        kind.buckets.cleanUp();
        return kind.buckets.estimatedSize();
    }

    private Bucket bucket(BucketPolicy policy, BucketKey key) {
        Kind kind = kinds.computeIfAbsent(policy, this::kind);
        return kind.buckets.get(key, any -> kind.maker.make());
    }

    private Kind kind(BucketPolicy policy) {
        Cache<BucketKey, Bucket> buckets = Caffeine.newBuilder()
                .maximumSize(maxBuckets)
                .expireAfterAccess(policy.fullAgainAfter())
                .ticker(time::nanoTime)
                .build();
        return new Kind(BucketMaker.of(policy, time), buckets);
    }
}
