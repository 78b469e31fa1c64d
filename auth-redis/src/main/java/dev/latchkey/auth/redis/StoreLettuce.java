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

    /** The shared connection is there within microseconds. A longer wait was for a new connection. */
    private static final long NEW_NANOS = Duration.ofMillis(100).toNanos();

    /** A new primary is found after this time at the latest. */
    private static final Duration ASKING_THE_CLUSTER = Duration.ofSeconds(5);

    private final AtomicInteger connecting = new AtomicInteger();
    private volatile long connectedAt = System.nanoTime();
    private boolean isClosed;

    private StoreLettuce(RedisConfiguration servers, LettuceClientConfiguration client) {
        super(servers, client);
    }

    /** @param longest the driver's wait for an answer; with the service's wait, a silent connection would hold threads */
    static StoreLettuce started(LettuceConnectionFactory service, RedisConfiguration servers, Duration longest) {
        // Only waiting for replicas needs a pool, and a Cluster has no such waiting.
        LettuceClientConfigurationBuilder client = service.isClusterAware()
                ? LettuceClientConfiguration.builder()
                : builder(service.getClientConfiguration());
        // A factory that the service makes without Spring Data's builder has no options.
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
        service.getReadFrom().ifPresent(own::readFrom);
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
            // The driver's copy forgets this option.
            shorter.tcpUserTimeout(socket.getTcpUserTimeout());
        }
        return options.mutate().socketOptions(shorter.build()).build();
    }

    /**
     * By default, Lettuce 6 asks for the servers of a Cluster at its start alone, and never finds the new primary after a failover.
     * The adaptive triggers alone, the default of Lettuce 7, have not found the new primary either.
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

    /** Whether a call waits for a new connection. The driver bounds this wait by time-outs of its own. */
    boolean isConnecting() {
        return connecting.get() > 0;
    }

    /** The end of the last attempt to connect, by {@link System#nanoTime}. */
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
        // A command beside stop() may have left a shared connection without a client.
        resetConnection();
    }

    /** Waits for {@link #startAnew}, which could otherwise start a closed client. */
    @Override
    public synchronized void destroy() {
        isClosed = true;
        super.destroy();
    }
}
