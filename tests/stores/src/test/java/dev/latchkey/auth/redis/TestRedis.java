package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.ServiceName;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Connections to a Redis as in a service, with Lettuce's default time-outs. The test can cut the connections. */
final class TestRedis implements RedisConnectionFactory, AutoCloseable {

    /** The service of most tests. */
    static final ServiceName SHOP = new ServiceName("shop");

    /** What sentinels call the primary. */
    static final String PRIMARY = "primary";

    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            // Lettuce waits up to half a minute between attempts; tests would wait as long.
            .reconnectDelay(Delay.constant(Duration.ofMillis(50)))
            .build();

    private final LettuceConnectionFactory factory;

    /** Of a user with all rights. */
    private final LettuceConnectionFactory all;

    private final AtomicInteger connectionsUntilThen = new AtomicInteger();
    private volatile Runnable then = () -> {};
    private volatile boolean isCutOff;

    static TestRedis at(int port) {
        return at(port, DocumentedUser.OF_ALL_KEYS);
    }

    static TestRedis at(int port, String user) {
        return new TestRedis(as(user, port), new RedisStandaloneConfiguration("127.0.0.1", port));
    }

    private static RedisStandaloneConfiguration as(String user, int port) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
        server.setUsername(user);
        server.setPassword(DocumentedUser.PASSWORD);
        return server;
    }

    static TestRedis cluster(int... ports) {
        RedisClusterConfiguration asUser = nodes(ports);
        asUser.setUsername(DocumentedUser.OF_A_CLUSTER);
        asUser.setPassword(DocumentedUser.PASSWORD);
        return new TestRedis(asUser, nodes(ports));
    }

    private static RedisClusterConfiguration nodes(int... ports) {
        RedisClusterConfiguration nodes = new RedisClusterConfiguration();
        for (int port : ports) {
            nodes.clusterNode("127.0.0.1", port);
        }
        return nodes;
    }

    /** The present primary, according to these sentinels. */
    static TestRedis watchedBy(int... sentinels) {
        RedisSentinelConfiguration watched = new RedisSentinelConfiguration().master(PRIMARY);
        for (int port : sentinels) {
            watched.sentinel("127.0.0.1", port);
        }
        return new TestRedis(watched, watched);
    }

    private TestRedis(RedisConfiguration servers, RedisConfiguration withAllRights) {
        LettuceClientConfiguration client = client();
        all = new LettuceConnectionFactory(withAllRights, client);
        all.start();
        factory = new LettuceConnectionFactory(servers, client) {
            @Override
            public RedisConnection getConnection() {
                if (isCutOff) {
                    throw new RedisConnectionFailureException("refused: GET unknown-token unknown-login secret-hash");
                }
                if (connectionsUntilThen.getAndDecrement() == 1) {
                    then.run();
                }
                return super.getConnection();
            }
        };
        factory.start();
    }

    private LettuceClientConfiguration client() {
        return LettuceClientConfiguration.builder()
                .clientResources(resources)
                .clientOptions(ClientOptions.builder()
                        .socketOptions(SocketOptions.builder()
                                .connectTimeout(Duration.ofSeconds(2))
                                .build())
                        .build())
                .shutdownTimeout(Duration.ZERO)
                .build();
    }

    /**
     * The connections themselves: Spring subscribes in another way to Lettuce's own class, and the stores await replicas over
     * these connections alone.
     */
    LettuceConnectionFactory connections() {
        return factory;
    }

    StringRedisTemplate commands() {
        return new StringRedisTemplate(all);
    }

    /** Runs this before the given connection, counted from now. */
    void beforeConnection(int number, Runnable done) {
        then = done;
        connectionsUntilThen.set(number);
    }

    void cutOff() {
        isCutOff = true;
    }

    void reconnect() {
        isCutOff = false;
    }

    @Override
    public RedisConnection getConnection() {
        return factory.getConnection();
    }

    @Override
    public RedisClusterConnection getClusterConnection() {
        return factory.getClusterConnection();
    }

    @Override
    public boolean getConvertPipelineAndTxResults() {
        return factory.getConvertPipelineAndTxResults();
    }

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        return factory.getSentinelConnection();
    }

    @Override
    public DataAccessException translateExceptionIfPossible(RuntimeException e) {
        return factory.translateExceptionIfPossible(e);
    }

    @Override
    public void close() {
        factory.destroy();
        all.destroy();
        Object unused = resources.shutdown(0, 0, TimeUnit.SECONDS);
    }
}
