package dev.latchkey.auth.redis;

import dev.latchkey.auth.guard.bucket.BucketKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Buckets with one script, each bucket a key. */
final class RedisBuckets {

    /** The limit on waiting calls: some hundred request threads may each take a token and return some. */
    private static final int WAITING = 2_000;

    private static final double NANOS_PER_MICRO = 1_000;
    private static final HexFormat HEX = HexFormat.of();

    private final RedisCalls calls;
    private final String prefix;
    private final Supplier<Duration> ahead;

    /**
     * Creates buckets with separate threads.
     *
     * @param kind the part of the keys after the common prefix
     * @param ahead the offset of the current time from Redis's clock
     */
    RedisBuckets(RedisConnectionFactory connections, RedisSettings settings, String kind, Supplier<Duration> ahead) {
        this.calls = new RedisCalls(connections, settings.deadline(), WAITING);
        this.prefix = settings.keyPrefix() + kind + ":";
        this.ahead = ahead;
    }

    /** A window of a bucket, with the time from empty to full in microseconds. */
    record Window(long tokens, double period) {

        static Window of(long tokens, Duration per) {
            return new Window(tokens, per.toNanos() / NANOS_PER_MICRO);
        }
    }

    /**
     * The taken and the remaining tokens.
     *
     * @param tokens negative after a return of tokens
     * @param after the time until the least wanted tokens
     */
    record Taken(long tokens, Duration after, long left) {

        private static Taken of(String answer) {
            String[] numbers = answer.split(" ", -1);
            return new Taken(
                    Long.parseLong(numbers[0]),
                    Duration.of(Long.parseLong(numbers[1]), ChronoUnit.MICROS),
                    Long.parseLong(numbers[2]));
        }
    }

    /** Takes between the least and the most of these tokens, or promises the least within the longest wait. */
    CompletableFuture<Taken> take(
            String name, BucketKey key, List<Window> windows, long least, long most, Duration longestWait) {
        return run(name, key, windows, least, most, longestWait);
    }

    CompletableFuture<Taken> putBack(String name, BucketKey key, List<Window> windows, long tokens) {
        return run(name, key, windows, 1, -tokens, Duration.ZERO);
    }

    private CompletableFuture<Taken> run(
            String name, BucketKey key, List<Window> windows, long least, long most, Duration longestWait) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(most));
        arguments.add(Long.toString(micros(ahead.get())));
        arguments.add(Long.toString(least));
        arguments.add(Long.toString(micros(longestWait)));
        for (Window window : windows) {
            arguments.add(Long.toString(window.tokens()));
            arguments.add(Double.toString(window.period()));
        }
        List<String> keys = List.of(prefix + name + ":" + HEX.toHexDigits(key.high()) + HEX.toHexDigits(key.low()));
        return calls.begin(redis -> Taken.of(Script.TAKE_TOKENS.run(redis, keys, arguments)));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / (long) NANOS_PER_MICRO;
    }
}
