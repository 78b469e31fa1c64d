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
 * <p>Lock-free: Bucket4j's synchronized variant holds a monitor, to which a virtual thread would pin its carrier.
 */
public record BucketMaker(BucketConfiguration configuration, TimeMeter meter) {

    public static BucketMaker of(BucketPolicy policy, GuardTime time) {
        List<LimitWindow> windows = policy.windows();
        List<Bandwidth> bandwidths = IntStream.range(0, windows.size())
                .mapToObj(i -> bandwidth(i, windows.get(i).tokens(), windows.get(i)))
                .toList();
        return new BucketMaker(new BucketConfiguration(bandwidths), meter(time));
    }

    public static BucketMaker of(BucketRate rate, GuardTime time) {
        LimitWindow refill = new LimitWindow(rate.tokens(), rate.per());
        return new BucketMaker(new BucketConfiguration(List.of(bandwidth(0, rate.burst(), refill))), meter(time));
    }

    public LockFreeBucket make() {
        return new LockFreeBucket(configuration, MathType.INTEGER_64_BITS, meter, BucketListener.NOPE);
    }

    /**
     * Brings a bucket of another configuration under this one. The share of it that was spent stays spent: an empty bucket
     * is empty and a full one full, so that no change is a fresh start, and one that is taken back leaves no trace.
     */
    public void adopt(LockFreeBucket bucket) {
        // Two threads may do so at once: the second finds what the first left, and changes nothing.
        if (!bucket.getConfiguration().equals(configuration)) {
            bucket.replaceConfiguration(configuration, TokensInheritanceStrategy.PROPORTIONALLY);
        }
    }

    /**
     * Greedy: a token comes back as soon as its part of the window is over, not all of them at the window's end. With an id: of
     * several bandwidths without one, Bucket4j does not know which became which, and makes each full again.
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
