package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Nodes of one service and their shared Redis, in a single process. Each node is a context with its own server, cache and port.
 * The nodes share the content of Redis and the settings of an operator: two keys and the address of Redis.
 */
final class SeveralNodes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SeveralNodes.class);

    private static final List<Integer> PORTS = List.of(8081, 8082);
    private static final int KEY_BYTES = 32;

    private final LocalRedis redis;
    private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

    private SeveralNodes(LocalRedis redis) {
        this.redis = redis;
    }

    public static void main(String[] arguments) throws IOException {
        SeveralNodes all = start(NodeApplication.class, PORTS, arguments);
        Runtime.getRuntime().addShutdownHook(new Thread(all::close, "end-of-nodes"));
        LOG.info("Two nodes on one Redis: http://localhost:{} and http://localhost:{}", all.port(0), all.port(1));
        LOG.info("What they share: redis-cli -p {} --scan; what to try is in the README", all.redisPort());
    }

    /**
     * Starts Redis, and then a node at each port.
     *
     * @param ports 0 for a free port
     * @param arguments the command-line arguments of each node
     */
    static SeveralNodes start(Class<?> service, List<Integer> ports, String... arguments) throws IOException {
        SeveralNodes all = new SeveralNodes(LocalRedis.start());
        try {
            Map<String, Object> forAll = Map.of(
                    "spring.data.redis.port",
                    all.redis.port(),
                    // Generated for this run. A real service has files with the secrets: latchkey.jwt.secret,
                    // latchkey.guard.shared.secret.
                    "latchkey.jwt.secret",
                    key(),
                    "latchkey.guard.shared.secret",
                    key());
            for (int port : ports) {
                all.add(service, port, forAll, arguments);
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private void add(Class<?> service, int port, Map<String, Object> forAll, String... arguments) {
        nodes.add(new SpringApplicationBuilder(service)
                .properties(forAll)
                .properties("server.port=" + port, "spring.application.name=node-" + (nodes.size() + 1))
                // Without these hooks, close() ends the nodes in order, and Redis last.
                .registerShutdownHook(false)
                .run(arguments));
    }

    /** The port of this node; the first node is 0. */
    int port(int node) {
        return nodes.get(node).getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    int redisPort() {
        return redis.port();
    }

    /** Stops the nodes in reverse order, and then Redis. */
    @Override
    public void close() {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            nodes.get(i).close();
        }
        redis.close();
    }

    private static String key() {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }
}
