package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
 * dev.latchkey.auth.guard.login.LoginLimits#shared} has both. A question that has waited for its turn for 50 milliseconds is not asked any more. What
 * completes an answer is one of four threads that have the next question to ask, so what depends on it must be short.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class RedisBucketStore implements BucketStore {

    /** Each of some hundred request threads may take a token, and have given back some. */
    private static final int WAITING = 2_000;

    private static final double NANOS_PER_MICRO = 1_000;
    private static final HexFormat HEX = HexFormat.of();

    private final RedisCalls calls;
    private final String prefix;
    private final Supplier<Duration> ahead;

    private RedisBucketStore(RedisConnectionFactory connections, RedisSettings settings, Supplier<Duration> ahead) {
        this.calls = new RedisCalls(connections, settings.deadline(), WAITING);
        this.prefix = settings.keyPrefix() + "limit:";
        this.ahead = ahead;
    }

    /** The buckets in this Redis, under keys that begin as the settings say. */
    public static RedisBucketStore in(RedisConnectionFactory connections, RedisSettings settings) {
        return in(connections, settings, () -> Duration.ZERO);
    }

    /** @param ahead how much later it is than Redis says */
    static RedisBucketStore in(RedisConnectionFactory connections, RedisSettings settings, Supplier<Duration> ahead) {
        return new RedisBucketStore(connections, settings, ahead);
    }

    @Override
    public CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key) {
        return run(policy, key, 1)
                .thenApply(
                        wait -> wait == 0 ? BucketTake.TAKEN : BucketTake.denied(Duration.of(wait, ChronoUnit.MICROS)));
    }

    @Override
    public CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens) {
        return run(policy, key, -tokens);
    }

    private CompletableFuture<Long> run(BucketPolicy policy, BucketKey key, long amount) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(amount));
        arguments.add(Long.toString(ahead.get().toNanos() / (long) NANOS_PER_MICRO));
        for (LimitWindow window : policy.windows()) {
            arguments.add(Long.toString(window.tokens()));
            arguments.add(Double.toString(window.per().toNanos() / NANOS_PER_MICRO));
        }
        List<String> keys = List.of(keyOf(policy, key));
        return calls.begin(redis -> Script.TAKE_TOKENS.run(redis, keys, arguments));
    }

    private String keyOf(BucketPolicy policy, BucketKey key) {
        return prefix + policy.name() + ":" + HEX.toHexDigits(key.high()) + HEX.toHexDigits(key.low());
    }
}
