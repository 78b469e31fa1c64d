package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.redis.RedisBuckets.Window;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The buckets of throttles in a Redis shared by several nodes.
 *
 * <p>The store uses the same script as login limits and Redis's own clock, but separate threads: a flood at a throttle
 * delays no login. Answers may take as long as the driver waits. The caller needs a time limit, and local rates for
 * outages: {@code dev.latchkey.throttle.SharedThrottles} has both.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class RedisPortionStore implements PortionStore {

    private final RedisBuckets buckets;

    private RedisPortionStore(RedisBuckets buckets) {
        this.buckets = buckets;
    }

    /**
     * Creates a store in this Redis, with keys under the prefix in the settings.
     *
     * @param connections to Redis; the caller closes the connections
     * @param settings equal on each node
     * @return a new store with its own threads; no question is sent yet
     */
    public static RedisPortionStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, () -> Duration.ZERO);
    }

    /** @param ahead the offset of the current time from Redis's clock */
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
