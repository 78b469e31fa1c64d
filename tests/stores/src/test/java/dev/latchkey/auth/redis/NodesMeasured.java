package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.testsupport.Until;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.core.RedisCallback;

/**
 * Prints three figures: the start of a node with many revocations, the memory in Redis, and the time until another node rejects
 * a revoked token. Run by hand: the first argument is the number of revocations.
 */
public final class NodesMeasured {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int BATCH = 500;
    private static final int LOGOUTS = 1_000;
    private static final int STARTS = 3;
    private static final RedisSettings SETTINGS =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private NodesMeasured() {}

    public static void main(String[] arguments) throws Exception {
        int many = Integer.parseInt(arguments[0]);
        try (RedisProcess server = RedisProcess.started(Files.createTempDirectory("latchkey-measured"));
                TestRedis redis = TestRedis.at(server.port())) {
            logouts(redis);
            fill(redis, many);
            System.out.printf("memory of Redis: %d bytes for each revocation%n", memory(redis) / many);
            for (int i = 0; i < STARTS; i++) {
                start(redis, many);
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static void fill(TestRedis redis, int many) {
        RedisRevocationStore store = RedisRevocationStore.in(redis, LIFETIME, SETTINGS);
        Instant end = Instant.now().plus(LIFETIME);
        for (int i = 0; i < many; i += BATCH) {
            List<Revocation> batch = new ArrayList<>();
            for (int j = i; j < Math.min(many, i + BATCH); j++) {
                batch.add(Revocation.ofToken("t" + j, end));
            }
            store.restore(batch);
        }
    }

    private static void start(TestRedis redis, int many) {
        LocalRevocations copy = LocalRevocations.of(
                RedisRevocationStore.in(redis, LIFETIME, SETTINGS),
                LocalRevocationSettings.defaults().withMaximumSize(2 * many));
        long begun = System.nanoTime();
        copy.refresh();
        System.out.printf(
                "start with %d revocations: %d ms%n",
                copy.status().size(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    /** From the begin of a revocation on one node to the rejection on the other node, after the message. */
    private static void logouts(TestRedis redis) {
        LocalRevocations one = LocalRevocations.of(
                RedisRevocationStore.in(redis, LIFETIME, SETTINGS), LocalRevocationSettings.defaults());
        LocalRevocations other = LocalRevocations.of(
                RedisRevocationStore.in(redis, LIFETIME, SETTINGS), LocalRevocationSettings.defaults());
        one.refresh();
        other.refresh();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try (RevocationMessages messages = RevocationMessages.of(redis.connections(), SETTINGS, () -> {
            // As in the starter: messages within 20 milliseconds share a reading.
            Future<?> unused = thread.schedule(other::refresh, 20, TimeUnit.MILLISECONDS);
        })) {
            messages.start();
            Until.until(messages::isListening);
            Instant end = Instant.now().plus(LIFETIME);
            long[] nanos = new long[LOGOUTS];
            for (int i = 0; i < LOGOUTS; i++) {
                String token = "logout" + i;
                long begun = System.nanoTime();
                one.revokeToken(token, end);
                Until.until(() -> other.isTokenRevoked(token));
                nanos[i] = System.nanoTime() - begun;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "a logout seen by another node: median %d ms, p99 %d ms, most %d ms%n",
                    TimeUnit.NANOSECONDS.toMillis(nanos[LOGOUTS / 2]),
                    TimeUnit.NANOSECONDS.toMillis(nanos[LOGOUTS * 99 / 100]),
                    TimeUnit.NANOSECONDS.toMillis(nanos[LOGOUTS - 1]));
        } finally {
            thread.shutdownNow();
        }
    }

    private static long memory(TestRedis redis) {
        return redis.commands().execute((RedisCallback<Long>) connection -> Long.parseLong(
                Objects.requireNonNull(connection.serverCommands().info("memory"))
                        .getProperty("used_memory")));
    }
}
