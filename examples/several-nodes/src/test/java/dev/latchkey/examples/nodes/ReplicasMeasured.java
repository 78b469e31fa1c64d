package dev.latchkey.examples.nodes;

import dev.latchkey.examples.nodes.NodesMeasured.Row;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import redis.embedded.RedisServer;

/**
 * The cost of waiting for a replica: one node, a Redis with a replica, and the same callers with and without the wait, by
 * turns.
 */
final class ReplicasMeasured {

    private static final int CALLERS = 8;
    private static final int ROUNDS = 3;

    /** After a thousand logouts all tokens of an account are revoked. */
    private static final int LOGINS_OF_AN_ACCOUNT = 400;

    private static final String WAITS = "--latchkey.redis.wait-for-replicas=1";
    private static final String POOL = "--spring.data.redis.lettuce.pool.enabled=";

    private ReplicasMeasured() {}

    static List<Row> replicas(int seconds) throws Exception {
        try (Side none = new Side(POOL + "false");
                Side one = new Side(WAITS, POOL + "false");
                Side pooled = new Side(WAITS, POOL + "true", "--spring.data.redis.lettuce.pool.max-idle=8")) {
            List<Side> all = List.of(none, one, pooled);
            for (int round = 0; round <= ROUNDS; round++) {
                for (Side each : all) {
                    each.run(Math.max(1, seconds / 3));
                    if (round == 0) {
                        // It was for the compiler.
                        each.forget();
                    }
                }
            }
            String sides = " with one replica: not waited for, waited for, waited for over connections that are kept";
            List<Row> rows = new ArrayList<>();
            rows.add(new Row(
                    "logins with a refresh and a logout each, a second," + sides,
                    String.format(
                            Locale.ROOT, "%.0f, %.0f, %.0f", none.perSecond(), one.perSecond(), pooled.perSecond()),
                    ""));
            for (Step step : Step.values()) {
                rows.add(new Row(
                        "of these a " + step.name().toLowerCase(Locale.ROOT) + ", " + CALLERS + " at a time",
                        String.format(
                                Locale.ROOT,
                                "%.1f ms, %.1f ms, %.1f ms",
                                none.millis(step),
                                one.millis(step),
                                pooled.millis(step)),
                        ""));
            }
            return rows;
        }
    }

    private enum Step {
        LOGIN,
        REFRESH,
        LOGOUT
    }

    /** A node with a Redis and a replica. */
    private static final class Side implements AutoCloseable {

        private final SeveralNodes nodes;
        private final RedisServer replica;
        private final Map<Step, LongAdder> nanos = new EnumMap<>(Step.class);
        private final LongAdder done = new LongAdder();
        private final KeptConnection[] connections = new KeptConnection[CALLERS];
        private final int[] logins = new int[CALLERS];
        private double seconds;

        Side(String... settings) throws IOException {
            List<String> all = new ArrayList<>(List.of(settings));
            all.add("--logging.level.root=ERROR");
            // A machine that has other work makes a figure worse, and no outage.
            all.add("--latchkey.redis.timeout=10s");
            all.add("--server.tomcat.max-keep-alive-requests=-1");
            all.add("--server.tomcat.keep-alive-timeout=10m");
            for (Step step : Step.values()) {
                nanos.put(step, new LongAdder());
            }
            nodes = SeveralNodes.start(ManyAccounts.class, List.of(0), all.toArray(String[]::new));
            replica = replicaOf(nodes.redisPort());
            for (int i = 0; i < CALLERS; i++) {
                connections[i] = KeptConnection.to(nodes.port(0));
            }
        }

        void run(int seconds) throws Exception {
            Load.perSecond(CALLERS, seconds, this::loginRefreshLogout);
            this.seconds += seconds;
        }

        void forget() {
            done.reset();
            seconds = 0;
            nanos.values().forEach(LongAdder::reset);
        }

        double perSecond() {
            return done.sum() / seconds;
        }

        double millis(Step step) {
            return nanosOf(step).sum() / 1e6 / done.sum();
        }

        private LongAdder nanosOf(Step step) {
            return Objects.requireNonNull(nanos.get(step));
        }

        private void loginRefreshLogout(int caller) {
            String account = "user" + caller + "-" + logins[caller]++ / LOGINS_OF_AN_ACCOUNT;
            String address = "203.0.113." + (caller + 1);
            try {
                KeptConnection node = connections[caller];
                long begun = System.nanoTime();
                String refresh = node.ask(
                        KeptConnection.post(
                                "/auth/token",
                                "username=" + account + "&password=" + NodeProcess.PASSWORD,
                                address,
                                ""),
                        "refresh_token");
                long loggedIn = took(Step.LOGIN, begun);
                String access = node.ask(
                        KeptConnection.post("/auth/token", "refresh_token=" + refresh, address, ""), "access_token");
                long refreshed = took(Step.REFRESH, loggedIn);
                int status = node.ask(KeptConnection.post("/auth/logout", "all=no", address, access));
                if (status != 204) {
                    throw new IllegalStateException("A logout was answered " + status);
                }
                took(Step.LOGOUT, refreshed);
                done.increment();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private long took(Step step, long begun) {
            long now = System.nanoTime();
            nanosOf(step).add(now - begun);
            return now;
        }

        @Override
        public void close() throws IOException {
            replica.stop();
            nodes.close();
        }
    }

    private static RedisServer replicaOf(int primary) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        RedisServer replica = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .setting("replicaof 127.0.0.1 " + primary)
                .build();
        replica.start();
        Patience.until("the replica follows", () -> follows(port));
        return replica;
    }

    private static boolean follows(int replica) {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), replica)) {
            connection.getOutputStream().write("INFO replication\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .contains("master_link_status:up");
        } catch (IOException e) {
            return false;
        }
    }

    /** The example's service where each name has an account; not marked as a configuration, which the other nodes would find. */
    @EnableAutoConfiguration
    static class ManyAccounts {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return new SecurityConfiguration().api(http);
        }

        @Bean
        PasswordEncoder passwordEncoder() {
            return new SecurityConfiguration().passwordEncoder();
        }

        @Bean
        UserDetailsService accounts() {
            String hash = new SecurityConfiguration()
                    .accounts()
                    .loadUserByUsername("alice")
                    .getPassword();
            return name -> User.withUsername(name).password(hash).roles("USER").build();
        }
    }
}
