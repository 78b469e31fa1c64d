package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

/** A Redis for histories, with stores of nodes that have a clock each. The server keeps each write before the answer. */
public final class RedisNodes implements AutoCloseable {

    /** The stores of one node. */
    public record Stores(LoginStore logins, SharedRevocationStore revocations) {}

    private final RedisProcess server;

    private RedisNodes(RedisProcess server) {
        this.server = server;
    }

    public static RedisNodes started(Path folder) throws IOException {
        return new RedisNodes(RedisProcess.durable(folder));
    }

    public int port() {
        return server.port();
    }

    /** The stores of a node that reaches the server at this port. */
    public static Stores stores(AutoCloseable connections, String service, InstantSource clock) {
        RedisSettings settings = RedisSettings.of(new ServiceName(service));
        RedisConnectionFactory redis = ((TestRedis) connections).connections();
        return new Stores(
                RedisLoginStore.in(redis, settings, clock),
                RedisRevocationStore.in(redis, Duration.ofHours(1), settings, clock, 10_000));
    }

    public static AutoCloseable connections(int port) {
        return TestRedis.at(port);
    }

    /** The connections to a new Cluster of three processes, which is empty. */
    public static AutoCloseable cluster() {
        return RedisServers.cluster();
    }

    public void empty() {
        try (TestRedis redis = TestRedis.at(server.port())) {
            redis.commands().execute((RedisCallback<Object>) connection -> {
                connection.serverCommands().flushAll();
                return null;
            });
        }
    }

    public void kill() {
        server.kill();
    }

    public void start() throws IOException {
        server.start();
    }

    public void pause() throws IOException, InterruptedException {
        server.pause();
    }

    public void resume() throws IOException, InterruptedException {
        server.resume();
    }

    @Override
    public void close() {
        server.close();
    }
}
