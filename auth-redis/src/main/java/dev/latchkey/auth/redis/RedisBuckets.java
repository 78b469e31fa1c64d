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

/** Buckets by the one script that there is for them, each a key. */
final class RedisBuckets {

    /** Each of some hundred request threads may take a token, and have given back some. */
    private static final int WAITING = 2_000;

    private static final double NANOS_PER_MICRO = 1_000;
    private static final HexFormat HEX = HexFormat.of();

    private final RedisCalls calls;
    private final String prefix;
    private final Supplier<Duration> ahead;

    /**
     * Buckets with threads of their own.
     *
     * @param kind what keys have behind the prefix of all
     * @param ahead how much later it is than Redis says
     */
    RedisBuckets(RedisConnectionFactory connections, RedisSettings settings, String kind, Supplier<Duration> ahead) {
        this.calls = new RedisCalls(connections, settings.deadline(), WAITING);
        this.prefix = settings.keyPrefix() + kind + ":";
        this.ahead = ahead;
    }

    /** A window of a bucket, and in how many microseconds an empty one is full. */
    record Window(long tokens, double period) {

        static Window of(long tokens, Duration per) {
            return new Window(tokens, per.toNanos() / NANOS_PER_MICRO);
        }
    }

    /**
     * What was taken, and what is there.
     *
     * @param tokens below zero where they were put back
     * @param after how long it is until the least that was wanted is there
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

    /** Takes from the least to the most of these tokens, or promises the least within the longest wait. */
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
