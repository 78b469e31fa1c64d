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
 * Makes Bucket4j's buckets of one configuration, which they share: its builder would give each of a hundred thousand a copy.
 *
 * <p>The buckets are lock-free: Bucket4j's synchronized variant holds a monitor, and a virtual thread that waits for one keeps its carrier. Safe for
 * use by any number of threads.
 *
 * @param configuration the bandwidths, shared by all buckets made here
 * @param meter the guard's time
 */
public record BucketMaker(BucketConfiguration configuration, TimeMeter meter) {

    /**
     * Buckets of login limits.
     *
     * @param policy of which each window becomes a bandwidth
     * @param time by which tokens come back
     * @return makes buckets that are full at first
     */
    public static BucketMaker of(BucketPolicy policy, GuardTime time) {
        List<LimitWindow> windows = policy.windows();
        List<Bandwidth> bandwidths = IntStream.range(0, windows.size())
                .mapToObj(i -> bandwidth(i, windows.get(i).tokens(), windows.get(i)))
                .toList();
        return new BucketMaker(new BucketConfiguration(bandwidths), meter(time));
    }

    /**
     * Buckets of throttles.
     *
     * @param rate by which tokens come back, and how many a bucket holds
     * @param time by which they do
     * @return makes buckets that are full at first
     */
    public static BucketMaker of(BucketRate rate, GuardTime time) {
        LimitWindow refill = new LimitWindow(rate.tokens(), rate.per());
        return new BucketMaker(new BucketConfiguration(List.of(bandwidth(0, rate.burst(), refill))), meter(time));
    }

    /**
     * Makes one.
     *
     * @return a full bucket, safe for use by any number of threads
     */
    public LockFreeBucket make() {
        return new LockFreeBucket(configuration, MathType.INTEGER_64_BITS, meter, BucketListener.NOPE);
    }

    /**
     * Brings a bucket of another configuration under this one. The spent share of it stays spent: an empty bucket stays empty and a full one full. So
     * no change is a fresh start, and one that is taken back leaves no trace.
     *
     * @param bucket with as many bandwidths; one of this configuration is left as it is
     */
    public void adopt(LockFreeBucket bucket) {
        // Two threads may do so at once: the second finds what the first left, and changes nothing.
        if (!bucket.getConfiguration().equals(configuration)) {
            bucket.replaceConfiguration(configuration, TokensInheritanceStrategy.PROPORTIONALLY);
        }
    }

    /**
     * Refills greedily: a token comes back as soon as its part of the window is over, and not all of them at the window's end. It has an id, since
     * Bucket4j cannot tell several bandwidths without one apart when they are replaced, and makes each full again.
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
