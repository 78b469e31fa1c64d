package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.LoginStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A replica takes the place of a dead primary of a Cluster. By default, Lettuce 6 asks for the Cluster's servers at its start alone. */
class ClusterFailoverTest {

    private static final String[] OF_A_CLUSTER = {"--cluster-enabled", "yes", "--cluster-node-timeout", "5000"};
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    @Test
    void newPrimary_isFound_withoutSettingsOfTheService(@TempDir Path folder) throws Exception {
        RedisClient operator = RedisClient.create();
        try (RedisProcess primary =
                        RedisProcess.started(Files.createDirectory(folder.resolve("primary")), OF_A_CLUSTER);
                RedisProcess replica =
                        RedisProcess.started(Files.createDirectory(folder.resolve("replica")), OF_A_CLUSTER)) {
            RedisCommands<String, String> second = form(operator, primary, replica);
            LettuceConnectionFactory service = new LettuceConnectionFactory(new RedisClusterConfiguration(
                    List.of("127.0.0.1:" + primary.port(), "127.0.0.1:" + replica.port())));
            service.afterPropertiesSet();
            try (StoreConnections connections = StoreConnections.of(service, DEADLINE)) {
                LoginStore logins = RedisLoginStore.in(
                        connections.factory(),
                        RedisSettings.of(TestRedis.SHOP).withDeadline(DEADLINE),
                        InstantSource.system());
                until(() -> answers(logins));
                primary.kill();
                second.clusterFailover(false, true);
                long begun = System.nanoTime();
                until(() -> answers(logins));
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
            } finally {
                service.destroy();
            }
        } finally {
            operator.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static RedisCommands<String, String> form(
            RedisClient operator, RedisProcess primary, RedisProcess replica) {
        RedisCommands<String, String> first =
                operator.connect(RedisURI.create("127.0.0.1", primary.port())).sync();
        RedisCommands<String, String> second =
                operator.connect(RedisURI.create("127.0.0.1", replica.port())).sync();
        first.clusterAddSlots(IntStream.range(0, 16_384).toArray());
        second.clusterMeet("127.0.0.1", primary.port());
        until(() -> second.clusterNodes().contains(first.clusterMyId()));
        until(() -> "OK".equals(second.clusterReplicate(first.clusterMyId())));
        until(() -> replica.info("replication").contains("master_link_status:up")
                && first.clusterInfo().contains("cluster_state:ok")
                && first.clusterNodes().contains("slave"));
        return second;
    }

    private static boolean answers(LoginStore logins) {
        try {
            return logins.find("nobody").isEmpty();
        } catch (AuthUnavailableException e) {
            return false;
        }
    }
}
