package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.tests.simulator.FaultyWay;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

@Timeout(120)
class StoreConnectionsTest {

    private static final Duration DEADLINE = Duration.ofMillis(100);
    private static final Duration SILENT_AFTER = DEADLINE.plus(StoreConnections.SILENCE);
    private static final ChannelTopic NEWS = ChannelTopic.of("news");

    private static LettuceConnectionFactory ofTheStores(LettuceConnectionFactory service) {
        try (StoreConnections own = StoreConnections.of(service, DEADLINE)) {
            return (LettuceConnectionFactory) own.factory();
        }
    }

    private static void assertKept(LettuceConnectionFactory service) {
        assertThat(ofTheStores(service)).isSameAs(service);
    }

    @Test
    void serversOfTheService_areTheServersOfTheStores() {
        RedisSentinelConfiguration watched =
                new RedisSentinelConfiguration().master("m").sentinel("a", 1);
        assertThat(ofTheStores(new LettuceConnectionFactory(watched)).getSentinelConfiguration())
                .isEqualTo(watched);
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("a:1"));
        assertThat(ofTheStores(new LettuceConnectionFactory(cluster)).getClusterConfiguration())
                .isEqualTo(cluster);
        RedisStandaloneConfiguration one = new RedisStandaloneConfiguration("redis.example", 6380);
        one.setPassword("secret");
        one.setDatabase(3);
        LettuceConnectionFactory own = ofTheStores(new LettuceConnectionFactory(one));
        assertThat(own.getHostName()).isEqualTo("redis.example");
        assertThat(own.getPort()).isEqualTo(6380);
        assertThat(own.getPassword()).isEqualTo("secret");
        assertThat(own.getDatabase()).isEqualTo(3);
    }

    @Test
    void serversThatSpringDataDoesNotTell_areReachedOverTheServicesConnections() {
        assertKept(new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("redis.example")));
        assertKept(new LettuceConnectionFactory(new RedisSocketConfiguration()));
        assertKept(new LettuceConnectionFactory());
        RedisConfiguration unnamed = new RedisStandaloneConfiguration("redis.example", 6380);
        assertKept(new LettuceConnectionFactory(unnamed));
    }

    @ParameterizedTest
    @CsvSource({"replica", "replicaPreferred", "upstreamPreferred", "any", "lowestLatency"})
    void connectionsThatMayReadFromAReplica_areNotAccepted(String from) {
        LettuceConnectionFactory service = new LettuceConnectionFactory(
                new RedisStaticMasterReplicaConfiguration("redis.example"), readingFrom(from));
        assertThat(StoreConnections.of(service, Duration.ofSeconds(1)).mayReadFromAReplica())
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLoginStore.in(service, RedisSettings.of(TestRedis.SHOP)))
                .withMessageContaining("replica");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> RedisRevocationStore.in(service, Duration.ofHours(1), RedisSettings.of(TestRedis.SHOP)))
                .withMessageContaining("replica");
    }

    @Test
    void connectionsThatReadFromThePrimary_areAccepted() {
        for (LettuceClientConfiguration client : List.of(
                LettuceClientConfiguration.defaultConfiguration(), readingFrom("master"), readingFrom("upstream"))) {
            LettuceConnectionFactory service =
                    new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("redis.example"), client);
            assertThat(StoreConnections.of(service, Duration.ofSeconds(1)).mayReadFromAReplica())
                    .isFalse();
        }
        LettuceConnectionFactory withOwnClient = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("redis.example", 6380), readingFrom("replica"));
        try (StoreConnections own = StoreConnections.of(withOwnClient, Duration.ofSeconds(1))) {
            assertThat(own.mayReadFromAReplica()).isFalse();
        }
    }

    private static LettuceClientConfiguration readingFrom(String name) {
        return LettuceClientConfiguration.builder()
                .readFrom(ReadFrom.valueOf(name))
                .build();
    }

    @Test
    void subclassOfTheService_isKept() {
        assertKept(new LettuceConnectionFactory(new RedisStandaloneConfiguration("redis.example", 6380)) {});
    }

    @Test
    void clientOfTheStores_hasTheServicesOptions_andWaitsLittleLongerThanTheStores() {
        GenericObjectPoolConfig<StatefulConnection<?, ?>> pool = new GenericObjectPoolConfig<>();
        ClientOptions options = ClientOptions.builder()
                .pingBeforeActivateConnection(false)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofMillis(200))
                        .build())
                .build();
        LettuceClientConfiguration service = LettucePoolingClientConfiguration.builder()
                .poolConfig(pool)
                .clientOptions(options)
                .clientName("shop")
                .readFrom(ReadFrom.REPLICA)
                .shutdownTimeout(Duration.ofSeconds(7))
                .useSsl()
                .verifyPeer(SslVerifyMode.CA)
                .startTls()
                .and()
                .build();
        LettuceClientConfiguration own = ofTheStores(
                        new LettuceConnectionFactory(new RedisStandaloneConfiguration("redis.example", 6380), service))
                .getClientConfiguration();
        assertThat(own)
                .usingRecursiveComparison()
                .ignoringFields("timeout", "readFrom", "clientConfiguration.timeout", "clientConfiguration.readFrom")
                .isEqualTo(service);
        assertThat(own.getReadFrom()).as("a replica may lag behind").isEmpty();
        assertThat(own.getCommandTimeout()).isEqualTo(SILENT_AFTER);
        assertThat(((LettucePoolingClientConfiguration) own).getPoolConfig()).isSameAs(pool);
        assertThat(own.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
        assertThat(own.getClientName()).contains("shop");
    }

    /** A dead Sentinel costs this time before the driver asks the next one. */
    @ParameterizedTest
    @CsvSource({"standalone", "cluster"})
    void clientOfTheStores_waitsForAConnectionHalfAsLongAsForAnAnswer(String kind) {
        SocketOptions socket = SocketOptions.builder()
                .keepAlive(true)
                .tcpUserTimeout(SocketOptions.TcpUserTimeoutOptions.builder()
                        .tcpUserTimeout(Duration.ofSeconds(9))
                        .enable()
                        .build())
                .build();
        ClientOptions cluster = ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .socketOptions(socket)
                .build();
        LettuceClientConfiguration service = LettuceClientConfiguration.builder()
                .clientOptions(
                        kind.equals("cluster")
                                ? cluster
                                : ClientOptions.builder().socketOptions(socket).build())
                .build();
        ClientOptions own = ofTheStores(
                        kind.equals("cluster")
                                ? new LettuceConnectionFactory(
                                        new RedisClusterConfiguration(List.of("redis.example:6380")), service)
                                : new LettuceConnectionFactory(
                                        new RedisStandaloneConfiguration("redis.example", 6380), service))
                .getClientConfiguration()
                .getClientOptions()
                .orElseThrow();
        assertThat(own.getSocketOptions())
                .usingRecursiveComparison()
                .ignoringFields("connectTimeout")
                .isEqualTo(socket);
        assertThat(own.getSocketOptions().getConnectTimeout()).isEqualTo(SILENT_AFTER.dividedBy(2));
        assertThat(own instanceof ClusterClientOptions options && !options.isValidateClusterNodeMembership())
                .isEqualTo(kind.equals("cluster"));
    }

    /** The adaptive triggers alone have not found the new primary after a failover. */
    @Test
    void clientOfACluster_asksForItsServersRegularly_inThePeriodOfTheServiceIfThereIsOne() {
        RedisClusterConfiguration servers = new RedisClusterConfiguration(List.of("redis.example:6380"));
        assertThat(periodOf(new LettuceConnectionFactory(servers))).isEqualTo(Duration.ofSeconds(5));
        ClusterClientOptions rare = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(Duration.ofMinutes(2))
                        .build())
                .build();
        LettuceClientConfiguration service =
                LettuceClientConfiguration.builder().clientOptions(rare).build();
        assertThat(periodOf(new LettuceConnectionFactory(servers, service))).isEqualTo(Duration.ofMinutes(2));
    }

    private static Duration periodOf(LettuceConnectionFactory service) {
        ClusterTopologyRefreshOptions refresh = ((ClusterClientOptions) ofTheStores(service)
                        .getClientConfiguration()
                        .getClientOptions()
                        .orElseThrow())
                .getTopologyRefreshOptions();
        assertThat(refresh.isPeriodicRefreshEnabled()).isTrue();
        return refresh.getRefreshPeriod();
    }

    /** Once, the new client of a Cluster asked the frozen server for the Cluster's servers, again and again. */
    @Test
    void clientOfACluster_keepsItsViewOfTheServers_andHasNoPool() {
        LettuceConnectionFactory service = new LettuceConnectionFactory(
                new RedisClusterConfiguration(List.of("redis.example:6380")),
                LettucePoolingClientConfiguration.defaultConfiguration());
        try (StoreConnections connections = StoreConnections.of(service, DEADLINE)) {
            StoreLettuce own = (StoreLettuce) connections.factory();
            assertThat(own.getClientConfiguration()).isNotInstanceOf(LettucePoolingClientConfiguration.class);
            AbstractRedisClient before = own.getRequiredNativeClient();
            own.startAnew();
            assertThat(own.getRequiredNativeClient()).isSameAs(before);
        }
    }

    private static LoginStore logins(StoreConnections connections) {
        return RedisLoginStore.in(
                connections.factory(), RedisSettings.of(TestRedis.SHOP).withDeadline(DEADLINE), InstantSource.system());
    }

    private static void failUntilReplaced(LoginStore logins) {
        long end = System.nanoTime() + SILENT_AFTER.plus(DEADLINE).toNanos();
        while (System.nanoTime() < end) {
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> logins.find("nobody"));
        }
    }

    private static boolean answers(LoginStore logins) {
        try {
            return logins.find("nobody").isEmpty();
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replacedConnection_leavesTheServicesSubscriptions(boolean isPooled, @TempDir Path folder) throws Exception {
        AtomicInteger heard = new AtomicInteger();
        RedisMessageListenerContainer container = new RedisMessageListenerContainer();
        try (RedisProcess server = RedisProcess.started(folder);
                ServiceClient client = ServiceClient.at(server.port(), isPooled, Duration.ofMinutes(1));
                StoreConnections own = StoreConnections.of(client.connections(), DEADLINE)) {
            container.setConnectionFactory(client.connections());
            container.addMessageListener((message, pattern) -> heard.incrementAndGet(), NEWS);
            container.afterPropertiesSet();
            container.start();
            LoginStore logins = logins(own);
            until(() -> answers(logins));
            server.pause();
            failUntilReplaced(logins);
            server.resume();
            until(() -> answers(logins));
            StringRedisTemplate service = new StringRedisTemplate(client.connections());
            until(() -> {
                service.convertAndSend(NEWS.getTopic(), "x");
                return heard.get() > 0;
            });
            container.destroy();
        }
    }

    @Test
    void otherConnectionThatIsSilentToo_isReplacedAsWell(@TempDir Path folder) throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                FaultyWay way = new FaultyWay(server.port());
                ServiceClient client = ServiceClient.at(way.port(), false, Duration.ofMinutes(1));
                StoreConnections own = StoreConnections.of(client.connections(), DEADLINE)) {
            LoginStore logins = logins(own);
            until(() -> answers(logins));
            way.loseNewConnections();
            way.loseOpenConnections();
            failUntilReplaced(logins);
            failUntilReplaced(logins);
            way.passNewConnections();
            long begun = System.nanoTime();
            until(() -> answers(logins));
            // The service's own time-out is a minute.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        }
    }

    /** Once, after a busy moment, each store replaced the connection at its next call, even minutes later. */
    @Test
    void connectionReplacedByOneStore_isNotReplacedByAnother() {
        LettuceConnectionFactory service =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("redis.example", 6380));
        try (StoreConnections own = StoreConnections.of(service, DEADLINE)) {
            StoreLettuce client = (StoreLettuce) own.factory();
            SilentConnection one = new SilentConnection(client, Duration.ZERO);
            SilentConnection other = new SilentConnection(client, Duration.ZERO);
            for (SilentConnection each : List.of(one, other)) {
                each.begins();
                each.ends(true);
            }
            long before = client.connectedAt();
            one.replaceIfSilent();
            until(() -> client.connectedAt() != before && !isReplacing());
            long replaced = client.connectedAt();
            other.replaceIfSilent();
            assertThat(isReplacing()).isFalse();
            assertThat(client.connectedAt()).isEqualTo(replaced);
        }
    }

    private static boolean isReplacing() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("latchkey-redis-silent"));
    }

    @Test
    void closing_doesNotWaitForAServerThatAnswersNothing(@TempDir Path folder) throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                FaultyWay way = new FaultyWay(server.port());
                ServiceClient client = ServiceClient.at(way.port(), false, Duration.ofMinutes(1))) {
            way.loseNewConnections();
            Duration hour = Duration.ofHours(1);
            StoreConnections own = StoreConnections.of(client.connections(), hour);
            Thread asking = new Thread(() -> new StringRedisTemplate(own.factory()).hasKey("nobody"));
            asking.setDaemon(true);
            asking.start();
            until(() -> Arrays.stream(asking.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().startsWith("io.lettuce.")));
            long begun = System.nanoTime();
            own.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void closedStores_leaveTheServiceItsConnections(@TempDir Path folder) throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                ServiceClient client = ServiceClient.at(server.port(), false, Duration.ofMinutes(1))) {
            StoreConnections own = StoreConnections.of(client.connections(), DEADLINE);
            LoginStore logins = logins(own);
            until(() -> answers(logins));
            own.close();
            assertThat(answers(logins)).isFalse();
            assertThat(new StringRedisTemplate(client.connections()).hasKey("nobody"))
                    .isFalse();
        }
    }

    /** Once, the client was replaced while it still tried the first Sentinels, and each new client began with them again. */
    @Test
    void deadSentinels_areSkipped(@TempDir Path folder) throws Exception {
        try (Race race = new Race();
                DeadPort first = new DeadPort();
                DeadPort second = new DeadPort();
                DeadPort third = new DeadPort();
                RedisProcess primary = RedisProcess.started(Files.createDirectory(folder.resolve("primary")));
                RedisProcess sentinel =
                        RedisProcess.sentinel(Files.createDirectory(folder.resolve("sentinel")), primary.port(), 1)) {
            RedisSentinelConfiguration servers = new RedisSentinelConfiguration().master(TestRedis.PRIMARY);
            for (int port : new int[] {first.number(), second.number(), third.number(), sentinel.port()}) {
                servers.sentinel("127.0.0.1", port);
            }
            LettuceConnectionFactory service = new LettuceConnectionFactory(servers);
            service.afterPropertiesSet();
            try (StoreConnections connections = StoreConnections.of(service, DEADLINE)) {
                StoreLettuce own = (StoreLettuce) connections.factory();
                AbstractRedisClient client = own.getRequiredNativeClient();
                LoginStore logins = logins(connections);
                // Some ask in the moment between the connection and its first answer.
                race.run(Collections.nCopies(Race.MOST_THREADS, () -> until(() -> answers(logins))));
                assertThat(own.getRequiredNativeClient()).isSameAs(client);
            } finally {
                service.destroy();
            }
        }
    }

    /** A port whose queue of connections is full: the system drops further ones, as a dead host does. */
    private static final class DeadPort implements AutoCloseable {

        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<SocketChannel> queue = new ArrayList<>();

        DeadPort() throws IOException {
            for (int i = 0; i < 4; i++) {
                SocketChannel waiting = SocketChannel.open();
                waiting.configureBlocking(false);
                waiting.connect(server.getLocalSocketAddress());
                queue.add(waiting);
            }
        }

        int number() {
            return server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel waiting : queue) {
                waiting.close();
            }
            server.close();
        }
    }
}
