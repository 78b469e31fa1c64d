package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.redis.RedisBuckets.Window;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The buckets of login limits in a Redis that nodes share.
 *
 * <p>One script looks at a bucket and takes a token, in one step and by Redis's own clock: so nodes need not agree on the time, and a bucket that all of them
 * want at once costs each of them one call, where reading, comparing and writing would begin anew with each other's success. A bucket is one key, which is gone
 * when the bucket is full again.
 *
 * <p>Its answers may take as long as the driver waits. Whoever asks needs a deadline, and limits for when Redis is down: {@link
 * dev.latchkey.auth.guard.login.LoginLimits#shared} has both. A question that has waited for its turn for {@link
 * RedisSettings#deadline} is not asked any more. What
 * completes an answer is one of four threads that have the next question to ask, so what depends on it must be short.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class RedisBucketStore implements BucketStore {

    private final RedisBuckets buckets;

    private RedisBucketStore(RedisBuckets buckets) {
        this.buckets = buckets;
    }

    /**
     * The buckets in this Redis, under keys that begin as the settings say.
     *
     * @param connections to Redis, which stay the caller's to close
     * @param settings the same on each node
     * @return a store of its own, with its own threads; nothing is asked of Redis yet
     */
    public static RedisBucketStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, () -> Duration.ZERO);
    }

    /** @param ahead how much later it is than Redis says */
    static RedisBucketStore in(RedisConnectionFactory connections, RedisSettings settings, Supplier<Duration> ahead) {
        return new RedisBucketStore(new RedisBuckets(connections, settings, "limit", ahead));
    }

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        return buckets.take(policy.name(), key, windows(policy), 1, 1, Duration.ZERO)
                .thenApply(taken -> taken.tokens() > 0 ? BucketTake.TAKEN : BucketTake.denied(taken.after()));
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        return buckets.putBack(policy.name(), key, windows(policy), tokens);
    }

    private static List<Window> windows(BucketPolicy policy) {
        return policy.windows().stream()
                .map(window -> Window.of(window.tokens(), window.per()))
                .toList();
    }
}
