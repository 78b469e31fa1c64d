package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** A node of the service in a process of its own, with the same port after a kill. */
final class NodeProcess implements AutoCloseable {

    static final String PASSWORD = "wonderland-tea-party";

    /** One account for each caller: outages leave unknown logins, and an account has at most fifty. */
    static final int ACCOUNTS = 6;

    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 12_000;

    private final int port;
    private final Path log;
    private final List<String> settings;
    private Process process;

    /** @param settings of the service, as on a command line */
    NodeProcess(int port, Path log, List<String> settings) {
        this.port = port;
        this.log = log;
        this.settings = settings;
    }

    int port() {
        return port;
    }

    /** Returns before it answers. */
    void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                NodeProcess.class.getName(),
                "--server.port=" + port));
        command.addAll(settings);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        Patience.until("the node is gone", () -> !process.isAlive());
    }

    @Override
    public void close() {
        kill();
    }

    /** A free port below the ephemeral ports. */
    static int freePort() throws IOException {
        for (int i = 0; i < 100; i++) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // The next one.
            }
        }
        throw new IOException("No port is free");
    }

    public static void main(String[] arguments) throws IOException {
        SpringApplication.run(Service.class, arguments);
        // The node ends with the test, for every end of the test.
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }

    /**
     * The example's service with an account for each caller. Without annotations for configurations or controllers, so the
     * example does not find this class.
     */
    @EnableAutoConfiguration
    static class Service {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return new SecurityConfiguration().api(http);
        }

        /** Logins are not what is tried here. */
        @Bean
        PasswordEncoder passwordEncoder() {
            return new BCryptPasswordEncoder(4);
        }

        /** One hash on all nodes: another hash would count as another password. */
        @Bean
        UserDetailsService accounts() {
            return new InMemoryUserDetailsManager(IntStream.range(0, ACCOUNTS)
                    .mapToObj(i -> User.withUsername("user" + i)
                            .password("$2a$10$OG9Mcdm0BUsgsy1jHtJxwuF3U3hq1tLkG2wu013ZW1oHEZpZ9G/.S")
                            .roles("USER")
                            .build())
                    .toArray(UserDetails[]::new));
        }

        @Bean
        RouterFunction<ServerResponse> me() {
            return RouterFunctions.route()
                    .GET("/api/me", request -> ServerResponse.ok().body("you"))
                    .build();
        }
    }
}
