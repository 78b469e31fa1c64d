package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.redis.RedisBuckets.Window;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The buckets of throttles in a Redis that nodes share.
 *
 * <p>They are asked as those of login limits are, by the same script and Redis's own clock, on threads apart: whoever floods a throttle delays no login. Its answers
 * may take as long as the driver waits, so whoever asks needs a deadline, and rates for when Redis is down: {@code
 * dev.latchkey.throttle.SharedThrottles} has both.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class RedisPortionStore implements PortionStore {

    private final RedisBuckets buckets;

    private RedisPortionStore(RedisBuckets buckets) {
        this.buckets = buckets;
    }

    /**
     * The buckets in this Redis, under keys that begin as the settings say.
     *
     * @param connections to Redis, which stay the caller's to close
     * @param settings the same on each node
     * @return a store of its own, with its own threads; nothing is asked of Redis yet
     */
    public static RedisPortionStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, () -> Duration.ZERO);
    }

    /** @param ahead how much later it is than Redis says */
    static RedisPortionStore in(RedisConnectionFactory connections, RedisSettings settings, Supplier<Duration> ahead) {
        return new RedisPortionStore(new RedisBuckets(connections, settings, "throttle", ahead));
    }

    @Override
    public CompletionStage<Portion> draw(Bucket bucket, Wish wish) {
        return buckets.take(bucket.name(), bucket.key(), windows(bucket), wish.least(), wish.most(), wish.longestWait())
                .thenApply(taken -> new Portion(taken.tokens(), taken.after(), taken.left()));
    }

    @Override
    public CompletionStage<?> giveBack(Bucket bucket, long tokens) {
        return buckets.putBack(bucket.name(), bucket.key(), windows(bucket), tokens);
    }

    private static List<Window> windows(Bucket bucket) {
        return List.of(Window.of(bucket.rate().burst(), bucket.fullIn()));
    }
}
