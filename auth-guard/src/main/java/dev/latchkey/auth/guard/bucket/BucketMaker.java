package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.GuardTime;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.BucketListener;
import io.github.bucket4j.MathType;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.TokensInheritanceStrategy;
import io.github.bucket4j.local.LockFreeBucket;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Creates Bucket4j's buckets with one shared configuration. Bucket4j's builder would give each of a hundred thousand
 * buckets a copy.
 *
 * <p>The buckets are lock-free: Bucket4j's synchronized variant holds a monitor, and a virtual thread that waits for a
 * monitor blocks its carrier. Safe for use by any number of threads.
 *
 * @param configuration the bandwidths, shared by all buckets
 * @param meter the guard's time
 */
public record BucketMaker(BucketConfiguration configuration, TimeMeter meter) {

    /**
     * Creates buckets of login limits.
     *
     * @param policy each window becomes a bandwidth
     * @param time for the refill of tokens
     * @return creates full buckets
     */
    public static BucketMaker of(BucketPolicy policy, GuardTime time) {
        List<LimitWindow> windows = policy.windows();
        List<Bandwidth> bandwidths = IntStream.range(0, windows.size())
                .mapToObj(i -> bandwidth(i, windows.get(i).tokens(), windows.get(i)))
                .toList();
        return new BucketMaker(new BucketConfiguration(bandwidths), meter(time));
    }

    /**
     * Creates buckets of throttles.
     *
     * @param rate the refill of tokens, and the bucket's size
     * @param time for the refill
     * @return creates full buckets
     */
    public static BucketMaker of(BucketRate rate, GuardTime time) {
        LimitWindow refill = new LimitWindow(rate.tokens(), rate.per());
        return new BucketMaker(new BucketConfiguration(List.of(bandwidth(0, rate.burst(), refill))), meter(time));
    }

    /**
     * Creates a bucket.
     *
     * @return a full bucket, safe for use by any number of threads
     */
    public LockFreeBucket make() {
        return new LockFreeBucket(configuration, MathType.INTEGER_64_BITS, meter, BucketListener.NOPE);
    }

    /**
     * Changes a bucket to this configuration. The spent share of each bandwidth stays spent: an empty bucket stays
     * empty, and a full bucket stays full. Therefore a change never restores tokens, and a reverted change has no
     * effect.
     *
     * @param bucket of the same or another configuration. Bandwidths correspond by position, and an added bandwidth is
     *     full
     */
    public void adopt(LockFreeBucket bucket) {
        // If two threads do this at once, the second finds the new configuration and changes nothing.
        if (!bucket.getConfiguration().equals(configuration)) {
            bucket.replaceConfiguration(configuration, TokensInheritanceStrategy.PROPORTIONALLY);
        }
    }

    /**
     * Refills greedily: tokens return one by one during the window, not all at its end. Each bandwidth has an id.
     * Without ids, Bucket4j cannot match several bandwidths in a replacement, and makes each full again.
     */
    private static Bandwidth bandwidth(int index, long capacity, LimitWindow refill) {
        return Bandwidth.builder()
                .capacity(capacity)
                .refillGreedy(refill.tokens(), refill.per())
                .id("window-" + index)
                .build();
    }

    private static TimeMeter meter(GuardTime time) {
        return new TimeMeter() {
            @Override
            public long currentTimeNanos() {
                return time.nanoTime();
            }

            @Override
            public boolean isWallClockBased() {
                return false;
            }
        };
    }
}
