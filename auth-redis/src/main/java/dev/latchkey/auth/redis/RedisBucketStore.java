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
 * The buckets of login limits in a Redis shared by several nodes.
 *
 * <p>One script reads a bucket and takes a token, in one step and by Redis's own clock. Therefore the nodes' clocks
 * need not agree. Each question costs one call, even if other nodes use the same bucket. Separate commands for reading,
 * comparing and writing would have to start again after each success of another node. A bucket is one key, which
 * expires when the bucket is full again.
 *
 * <p>Answers may take as long as the driver waits. The caller needs a time limit, and local limits for outages:
 * {@link dev.latchkey.auth.guard.login.LoginLimits#shared} has both. A question that has waited for
 * {@link RedisSettings#deadline} before its turn is not sent. Four threads send the questions and complete the answers,
 * so dependent actions must be short.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class RedisBucketStore implements BucketStore {

    private final RedisBuckets buckets;

    private RedisBucketStore(RedisBuckets buckets) {
        this.buckets = buckets;
    }

    /**
     * Creates a store in this Redis, with keys under the prefix in the settings.
     *
     * @param connections to Redis; the caller closes the connections
     * @param settings equal on each node
     * @return a new store with its own threads; no question is sent yet
     */
    public static RedisBucketStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, () -> Duration.ZERO);
    }

    /** @param ahead the offset of the current time from Redis's clock */
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
