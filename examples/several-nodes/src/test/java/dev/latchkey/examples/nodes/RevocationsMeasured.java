package dev.latchkey.examples.nodes;

import com.sun.management.ThreadMXBean;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.redis.RedisRevocationStore;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.examples.nodes.NodesMeasured.Row;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A node's copy of revocations: the cost of a token check, and the time of a reading. */
final class RevocationsMeasured {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final RedisSettings PATIENT =
            RedisSettings.of(new ServiceName("nodes")).withDeadline(Duration.ofSeconds(10));
    private static final int ROUNDS = 10;
    private static final int REVOKED = 1_000;
    private static final int BATCH = 500;
    private static final int STARTS = 3;

    private RevocationsMeasured() {}

    /** Each side has its rounds in turn with the other; of each the median. */
    static List<Row> verify(int seconds) throws IOException {
        HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
        BearerToken token = BearerToken.of(JwtSigner.with(key)
                .sign(JwtClaims.forSubject("alice", LIFETIME)
                        .withId(UUID.randomUUID().toString())));
        try (LocalRedis redis = LocalRedis.start()) {
            LettuceConnectionFactory connections = connections(redis);
            RevocationStore memory = new InMemoryRevocationStore(LIFETIME);
            // Fresh for the whole run, as a copy is that is read twice a second.
            LocalRevocations copy = LocalRevocations.of(
                    RedisRevocationStore.in(connections, LIFETIME, PATIENT),
                    LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMinutes(10)));
            copy.refresh();
            for (int i = 0; i < REVOKED; i++) {
                memory.revokeToken("revoked" + i, Instant.now().plus(LIFETIME));
                copy.revokeToken("revoked" + i, Instant.now().plus(LIFETIME));
            }
            JwtAuthPlugin alone = JwtAuthPlugin.of(JwtVerifier.with(key), memory);
            JwtAuthPlugin shared = JwtAuthPlugin.of(JwtVerifier.with(key), copy);
            Cost[] costs = new Cost[2 * ROUNDS];
            for (int i = 0; i < 2 * ROUNDS; i++) {
                costs[i] = cost(i % 2 == 0 ? alone : shared, token, Duration.ofMillis(100L * seconds));
            }
            connections.destroy();
            double nanosAlone = median(costs, 0);
            double nanosShared = median(costs, 1);
            String what = "verify with shared revocation, beside in memory: ";
            return List.of(
                    Row.of(
                            what + "time",
                            "1.15 × at most",
                            "%.2f × (%.0f ns, %.0f ns)",
                            nanosShared / nanosAlone,
                            nanosShared,
                            nanosAlone),
                    Row.of(
                            what + "allocation",
                            "1.15 × at most",
                            "%.2f × (%.0f B, %.0f B)",
                            costs[2 * ROUNDS - 1].bytes() / costs[2 * ROUNDS - 2].bytes(),
                            costs[2 * ROUNDS - 1].bytes(),
                            costs[2 * ROUNDS - 2].bytes()));
        }
    }

    /** Of one check. */
    private record Cost(double nanos, double bytes) {}

    private static Cost cost(JwtAuthPlugin plugin, BearerToken token, Duration time) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long checks = 0;
        long bytes = threads.getThreadAllocatedBytes(thread);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            for (int i = 0; i < 1_000; i++) {
                plugin.authenticate(token, RequestContext.none());
            }
            checks += 1_000;
        }
        double nanos = (System.nanoTime() - begun) / (double) checks;
        return new Cost(nanos, (threads.getThreadAllocatedBytes(thread) - bytes) / (double) checks);
    }

    /** Of every second round from this index on, without the first two rounds of the side, for the compiler. */
    private static double median(Cost[] costs, int first) {
        double[] nanos = new double[ROUNDS - 2];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = costs[first + 2 * (i + 2)].nanos();
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }

    /** The slowest of some starts, each with a copy of its own. */
    static List<Row> start(int many) throws IOException {
        try (LocalRedis redis = LocalRedis.start()) {
            LettuceConnectionFactory connections = connections(redis);
            fill(RedisRevocationStore.in(connections, LIFETIME, PATIENT), many);
            long longest = 0;
            for (int i = 0; i < STARTS; i++) {
                LocalRevocations copy = LocalRevocations.of(
                        RedisRevocationStore.in(connections, LIFETIME, PATIENT),
                        LocalRevocationSettings.defaults().withMaximumSize(2 * many));
                long begun = System.nanoTime();
                copy.refresh();
                longest = Math.max(longest, System.nanoTime() - begun);
                if (copy.status().size() < many) {
                    throw new IllegalStateException(
                            "It has read " + copy.status().size() + " of " + many);
                }
            }
            connections.destroy();
            String what = String.format("a node's start with %,d revocations, the slowest of %d", many, STARTS);
            return List.of(Row.of(what, "3 s", "%.1f s", longest / 1e9));
        }
    }

    private static void fill(RedisRevocationStore store, int many) {
        Instant end = Instant.now().plus(LIFETIME);
        for (int i = 0; i < many; i += BATCH) {
            List<Revocation> batch = new ArrayList<>();
            for (int j = i; j < Math.min(many, i + BATCH); j++) {
                batch.add(Revocation.ofToken("t" + j, end));
            }
            store.restore(batch);
        }
    }

    private static LettuceConnectionFactory connections(LocalRedis redis) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }
}
