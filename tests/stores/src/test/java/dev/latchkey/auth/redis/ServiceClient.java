package dev.latchkey.auth.redis;

import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/**
 * The connections of a service, as Boot makes them.
 *
 * @param connections by Lettuce
 */
record ServiceClient(LettuceConnectionFactory connections) implements AutoCloseable {

    /**
     * @param isPooled as with {@code commons-pool2} on the class path
     * @param patience {@code spring.data.redis.timeout}
     */
    static ServiceClient at(int port, boolean isPooled, Duration patience) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
        server.setUsername(DocumentedUser.OF_ALL_KEYS);
        server.setPassword(DocumentedUser.PASSWORD);
        LettuceConnectionFactory made = new LettuceConnectionFactory(
                server,
                (isPooled ? LettucePoolingClientConfiguration.builder() : LettuceClientConfiguration.builder())
                        .commandTimeout(patience)
                        .build());
        made.start();
        return new ServiceClient(made);
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
