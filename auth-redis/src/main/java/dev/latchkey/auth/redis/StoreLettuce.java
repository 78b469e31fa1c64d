package dev.latchkey.auth.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/** A client of Lettuce that no other code of the service uses. */
final class StoreLettuce extends LettuceConnectionFactory {

    /** An open shared connection is returned within microseconds. A call longer than this has opened a connection. */
    private static final long NEW_NANOS = Duration.ofMillis(100).toNanos();

    /** A new primary is found after this time at the latest. */
    private static final Duration ASKING_THE_CLUSTER = Duration.ofSeconds(5);

    private final AtomicInteger connecting = new AtomicInteger();
    private volatile long connectedAt = System.nanoTime();
    private boolean isClosed;

    private StoreLettuce(RedisConfiguration servers, LettuceClientConfiguration client) {
        super(servers, client);
    }

    /**
     * @param longest the driver's wait for an answer. With the service's longer wait, a silent connection would keep
     *     the stores' threads busy
     */
    static StoreLettuce started(LettuceConnectionFactory service, RedisConfiguration servers, Duration longest) {
        // Only waiting for replicas needs a pool, and a Cluster has no such waiting.
        LettuceClientConfigurationBuilder client = service.isClusterAware()
                ? LettuceClientConfiguration.builder()
                : builder(service.getClientConfiguration());
        // A configuration that was made without Spring Data's builder may have no options.
        ClientOptions ofTheService = service.getClientConfiguration()
                .getClientOptions()
                .or(() -> LettuceClientConfiguration.defaultConfiguration().getClientOptions())
                .orElseGet(ClientOptions::create);
        ClientOptions options = connectingWithin(longest.dividedBy(2), ofTheService);
        client.clientOptions(service.isClusterAware() ? followingTheCluster(options) : options);
        StoreLettuce own = new StoreLettuce(servers, like(service.getClientConfiguration(), client, longest));
        own.setShareNativeConnection(service.getShareNativeConnection());
        own.start();
        return own;
    }

    private static LettuceClientConfigurationBuilder builder(LettuceClientConfiguration service) {
        return service instanceof LettucePoolingClientConfiguration pooled
                ? LettucePoolingClientConfiguration.builder().poolConfig(pooled.getPoolConfig())
                : LettuceClientConfiguration.builder();
    }

    private static LettuceClientConfiguration like(
            LettuceClientConfiguration service, LettuceClientConfigurationBuilder own, Duration longest) {
        service.getClientResources().ifPresent(own::clientResources);
        service.getClientName().ifPresent(own::clientName);
        service.getRedisCredentialsProviderFactory().ifPresent(own::redisCredentialsProviderFactory);
        if (service.isUseSsl()) {
            encrypt(own.useSsl(), service);
        }
        return own.commandTimeout(longest)
                .shutdownTimeout(service.getShutdownTimeout())
                .shutdownQuietPeriod(service.getShutdownQuietPeriod())
                .build();
    }

    /** The driver tries the Sentinels in turn, by default for ten seconds each. */
    private static ClientOptions connectingWithin(Duration longest, ClientOptions options) {
        SocketOptions socket = options.getSocketOptions();
        if (socket.getConnectTimeout().compareTo(longest) <= 0) {
            return options;
        }
        SocketOptions.Builder shorter = socket.mutate().connectTimeout(longest);
        if (socket.isEnableTcpUserTimeout()) {
            // The driver's copy loses this option.
            shorter.tcpUserTimeout(socket.getTcpUserTimeout());
        }
        return options.mutate().socketOptions(shorter.build()).build();
    }

    /**
     * By default, Lettuce 6 asks a Cluster for its servers only at the start, and never finds the new primary after a
     * failover. The adaptive triggers alone, the default of Lettuce 7, have not found the new primary either.
     */
    private static ClientOptions followingTheCluster(ClientOptions options) {
        ClusterClientOptions cluster = options instanceof ClusterClientOptions known
                ? known
                : ClusterClientOptions.builder(options).build();
        ClusterTopologyRefreshOptions refresh = cluster.getTopologyRefreshOptions();
        if (refresh != null && refresh.isPeriodicRefreshEnabled()) {
            return cluster;
        }
        ClusterTopologyRefreshOptions.Builder regular = ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .enablePeriodicRefresh(ASKING_THE_CLUSTER);
        if (refresh != null) {
            regular.dynamicRefreshSources(refresh.useDynamicRefreshSources())
                    .closeStaleConnections(refresh.isCloseStaleConnections());
        }
        return cluster.mutate().topologyRefreshOptions(regular.build()).build();
    }

    private static void encrypt(LettuceSslClientConfigurationBuilder own, LettuceClientConfiguration service) {
        own.verifyPeer(service.getVerifyMode());
        if (service.isStartTls()) {
            own.startTls();
        }
    }

    /** Waits while the driver opens the connection that the stores share. */
    @Override
    public RedisConnection getConnection() {
        long begun = System.nanoTime();
        connecting.incrementAndGet();
        try {
            return super.getConnection();
        } finally {
            long ended = System.nanoTime();
            if (ended - begun > NEW_NANOS) {
                connectedAt = ended;
            }
            connecting.decrementAndGet();
        }
    }

    /** Whether a call is waiting for a connection. The driver's own time-outs limit this wait. */
    boolean isConnecting() {
        return connecting.get() > 0;
    }

    /** The end of the last wait for a new connection, or the last {@link #startAnew}, by {@link System#nanoTime}. */
    long connectedAt() {
        return connectedAt;
    }

    /** Closes all connections; the next command opens another connection. Has no effect after {@link #destroy}. */
    synchronized void startAnew() {
        if (isClosed) {
            return;
        }
        if (!isClusterAware()) {
            // A pool would lend the silent connection again. A Cluster's client must keep its view of the servers.
            stop();
            start();
        }
        connectedAt = System.nanoTime();
        // A command concurrent with stop() may have left a shared connection without a client.
        resetConnection();
    }

    /** Waits for a concurrent {@link #startAnew}, which could otherwise start a closed client. */
    @Override
    public synchronized void destroy() {
        isClosed = true;
        super.destroy();
    }
}
