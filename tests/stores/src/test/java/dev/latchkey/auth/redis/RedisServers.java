package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.data.redis.core.RedisCallback;

/** One Redis, and one Cluster of three processes, for all tests that leave them as they are; they end with this process. */
final class RedisServers {

    private static final int SLOTS = 16_384;
    private static final int NODES = 3;

    private RedisServers() {}

    /** Connections to a single server, which is empty now. */
    static TestRedis single() {
        return emptied(Single.REDIS);
    }

    /** Connections to a Valkey, which is empty now. */
    static TestRedis valkey() {
        return emptied(Valkey.REDIS);
    }

    /** Connections to a primary with a replica, which are empty now. */
    static TestRedis replicated() {
        return emptied(Replicated.REDIS);
    }

    /** Connections to a Cluster, which is empty now. */
    static TestRedis cluster() {
        return emptied(Cluster.REDIS);
    }

    private static TestRedis emptied(TestRedis redis) {
        redis.reconnect();
        redis.commands().execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().flushAll();
            return null;
        });
        return redis;
    }

    private static final class Single {
        static final TestRedis REDIS = TestRedis.at(started().port());
    }

    private static final class Valkey {
        static final TestRedis REDIS =
                TestRedis.at(startedAs(RedisProgram.VALKEY).port());
    }

    private static final class Replicated {

        static final TestRedis REDIS = TestRedis.at(primary().port());

        private static RedisProcess primary() {
            RedisProcess primary = started();
            RedisProcess replica = started();
            replica.follow(primary);
            until(() -> replica.info("replication").contains("master_link_status:up"));
            return primary;
        }
    }

    private static final class Cluster {

        static final TestRedis REDIS = TestRedis.cluster(ports());

        private static int[] ports() {
            List<RedisProcess> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(started("--cluster-enabled", "yes", "--cluster-node-timeout", "5000"));
            }
            int[] ports = nodes.stream().mapToInt(RedisProcess::port).toArray();
            RedisClient client = RedisClient.create();
            try {
                for (int i = 0; i < NODES; i++) {
                    join(client.connect(RedisURI.create("127.0.0.1", ports[i])).sync(), i, ports[0]);
                }
                for (int port : ports) {
                    RedisCommands<String, String> node =
                            client.connect(RedisURI.create("127.0.0.1", port)).sync();
                    until(() -> node.clusterInfo().contains("cluster_state:ok")
                            && node.clusterNodes()
                                            .lines()
                                            .filter(each -> each.contains("connected"))
                                            .count()
                                    == NODES);
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
            return ports;
        }

        private static void join(RedisCommands<String, String> node, int index, int first) {
            int from = SLOTS * index / NODES;
            int to = SLOTS * (index + 1) / NODES;
            node.clusterAddSlots(IntStream.range(from, to).toArray());
            node.clusterSetConfigEpoch(index + 1L);
            if (index > 0) {
                node.clusterMeet("127.0.0.1", first);
            }
        }
    }

    private static RedisProcess started(String... settings) {
        return startedAs(RedisProgram.path(), settings);
    }

    private static RedisProcess startedAs(String program, String... settings) {
        try {
            Path folder = Files.createTempDirectory("latchkey-redis-data");
            RedisProcess process = RedisProcess.started(program, folder, settings);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> endOf(process, folder), "end-of-redis"));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void endOf(RedisProcess process, Path folder) {
        try (var files = Files.walk(folder)) {
            process.close();
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
