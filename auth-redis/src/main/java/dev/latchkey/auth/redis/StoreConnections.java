package dev.latchkey.auth.redis;

import dev.latchkey.auth.DaemonThreads;
import io.lettuce.core.ReadFrom;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections to the service's Redis for Latchkey's stores alone. A store may replace a silent connection. With
 * separate connections, the replacement ends no command and no subscription of the service. Safe for use by any number
 * of threads.
 *
 * <p>With Lettuce, the stores get a client of their own, with the service's servers, credentials, options and pool. For
 * a Cluster, the client has no pool. In the following cases, the stores use the service's own connections:
 *
 * <ul>
 *   <li>another driver than Lettuce, or a subclass of {@link LettuceConnectionFactory}
 *   <li>exactly Spring Data's default: {@code localhost}, port 6379, database 0, no user and no password
 *   <li>servers for which Spring Data shows this default: a socket, a fixed list of a primary and replicas, or a server
 *       given as {@link RedisConfiguration}
 * </ul>
 */
public final class StoreConnections implements AutoCloseable {

    /** A connection counts as silent after this time beyond the time limit of a call. */
    static final Duration SILENCE = Duration.ofSeconds(2);

    private final RedisConnectionFactory factory;

    private StoreConnections(RedisConnectionFactory factory) {
        this.factory = factory;
    }

    /**
     * Creates the connections; the first command opens a connection.
     *
     * @param service the connections of the service
     * @param deadline the longest time of a store's call. The stores' own client waits two seconds longer for an
     *     answer, and at most half of this longer time for a connection. The service's client keeps its own time-outs
     * @return connections that the caller closes after the last use of the stores
     */
    public static StoreConnections of(RedisConnectionFactory service, Duration deadline) {
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(deadline, "deadline");
        if (service instanceof LettuceConnectionFactory lettuce
                && lettuce.getClass() == LettuceConnectionFactory.class) {
            RedisConfiguration servers = servers(lettuce);
            if (servers != null) {
                return new StoreConnections(StoreLettuce.started(lettuce, servers, deadline.plus(SILENCE)));
            }
        }
        return new StoreConnections(service);
    }

    private static @Nullable RedisConfiguration servers(LettuceConnectionFactory service) {
        if (service.getClusterConfiguration() != null) {
            return service.getClusterConfiguration();
        }
        if (service.getSentinelConfiguration() != null) {
            return service.getSentinelConfiguration();
        }
        RedisStandaloneConfiguration server = service.getStandaloneConfiguration();
        // For a socket or a fixed list of servers, Spring Data returns this default, too.
        return server.equals(new RedisStandaloneConfiguration()) ? null : server;
    }

    /**
     * Connections for sessions and revocations. These stores do not accept connections that may read from a replica.
     *
     * @throws IllegalArgumentException if Lettuce may read from a replica
     */
    static RedisConnectionFactory ofThePrimary(RedisConnectionFactory connections) {
        if (mayLag(connections)) {
            throw new IllegalArgumentException("The connections may read from a replica of Redis."
                    + " A replica may lag behind, and would accept revoked tokens");
        }
        return connections;
    }

    private static boolean mayLag(RedisConnectionFactory connections) {
        return connections instanceof LettuceConnectionFactory lettuce
                && lettuce.getClientConfiguration()
                        .getReadFrom()
                        .filter(from -> from.getClass() != ReadFrom.UPSTREAM.getClass())
                        .isPresent();
    }

    /**
     * Whether Lettuce may read from a replica. A replica may lag behind, so {@link RedisLoginStore} and {@link
     * RedisRevocationStore} do not accept such connections.
     *
     * @return true only for the service's own connections; false also for another driver than Lettuce
     */
    public boolean mayReadFromAReplica() {
        return mayLag(factory);
    }

    /**
     * For the stores.
     *
     * @return the connections, the same object at each call
     */
    public RedisConnectionFactory factory() {
        return factory;
    }

    /**
     * Closes the stores' own client; the service's connections stay open. Waits two seconds at most. Afterwards, a
     * separate thread finishes the work.
     */
    @Override
    public void close() {
        if (factory instanceof StoreLettuce own) {
            // A store that opens a connection holds the driver's lock, so closing may wait for a connection.
            Thread thread = DaemonThreads.of(StoreConnections.class, "latchkey-redis-close")
                    .newThread(own::destroy);
            thread.start();
            try {
                thread.join(SILENCE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
