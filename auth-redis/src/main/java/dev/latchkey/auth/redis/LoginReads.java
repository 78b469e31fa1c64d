package dev.latchkey.auth.redis;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Reads all sessions of an account in one round trip. Each session has its own slot of a Cluster, so no script can read
 * all sessions.
 *
 * <p>With Lettuce, all commands are sent before the first answer is awaited. The commands use the connection that all
 * calls share. A pipeline of Spring Data would open a connection for each call. Another driver reads the sessions one
 * after the other.
 */
final class LoginReads {

    private LoginReads() {}

    /** The fields of each session, in the order of the keys; empty for an ended session. */
    static List<Map<Object, Object>> fields(StringRedisTemplate redis, List<String> keys) {
        return isLettuce(redis)
                ? Lettuce.fields(redis, keys)
                : keys.stream().map(key -> redis.opsForHash().entries(key)).toList();
    }

    /** Whether each session is there, in the order of the keys. */
    static List<Boolean> arePresent(StringRedisTemplate redis, List<String> keys) {
        return isLettuce(redis)
                ? Lettuce.arePresent(redis, keys)
                : keys.stream()
                        .map(key -> Boolean.TRUE.equals(redis.hasKey(key)))
                        .toList();
    }

    private static boolean isLettuce(StringRedisTemplate redis) {
        return redis.getConnectionFactory() instanceof LettuceConnectionFactory;
    }

    /** A separate class, because Lettuce may be missing in a service. */
    private static final class Lettuce {

        static List<Map<Object, Object>> fields(StringRedisTemplate redis, List<String> keys) {
            return answers(redis, keys, (commands, key) -> commands.hgetall(key)).stream()
                    .map(Lettuce::texts)
                    .toList();
        }

        static List<Boolean> arePresent(StringRedisTemplate redis, List<String> keys) {
            return answers(redis, keys, (commands, key) -> commands.exists(key)).stream()
                    .map(number -> number > 0)
                    .toList();
        }

        private static <T> List<T> answers(
                StringRedisTemplate redis,
                List<String> keys,
                BiFunction<RedisClusterAsyncCommands<byte[], byte[]>, byte[], RedisFuture<T>> command) {
            LettuceConnectionFactory connections = (LettuceConnectionFactory) redis.getRequiredConnectionFactory();
            Duration longest = connections.getClientConfiguration().getCommandTimeout();
            return Objects.requireNonNull(redis.execute((RedisCallback<List<T>>) connection -> {
                RedisClusterAsyncCommands<byte[], byte[]> commands = commandsOf(connection);
                List<RedisFuture<T>> sent = keys.stream()
                        .map(key -> command.apply(commands, key.getBytes(StandardCharsets.UTF_8)))
                        .toList();
                await(sent, longest, connections);
                return sent.stream()
                        .map(each -> each.toCompletableFuture().join())
                        .toList();
            }));
        }

        @SuppressWarnings("unchecked") // Spring Data's connections have keys and values of bytes.
        private static RedisClusterAsyncCommands<byte[], byte[]> commandsOf(RedisConnection connection) {
            return (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
        }

        /** Fails as a single command of Spring Data fails. */
        private static void await(
                List<? extends Future<?>> sent, Duration longest, RedisConnectionFactory connections) {
            boolean isAnswered;
            try {
                isAnswered = LettuceFutures.awaitAll(longest, sent.toArray(Future<?>[]::new));
            } catch (RuntimeException e) {
                throw Objects.requireNonNullElse(connections.translateExceptionIfPossible(e), e);
            }
            if (!isAnswered) {
                sent.forEach(each -> each.cancel(false));
                throw new QueryTimeoutException("Redis did not answer all commands within " + longest);
            }
        }

        private static Map<Object, Object> texts(Map<byte[], byte[]> fields) {
            Map<Object, Object> texts = new HashMap<>();
            fields.forEach((name, value) -> texts.put(text(name), text(value)));
            return texts;
        }

        private static String text(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
