package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** HTTP Basic on a Tomcat with eight threads: what a flood of logins does to everybody else. */
class GuardServerTest {

    private static GuardServer server;

    private final HashingProbe probe = Service.PROBE;

    @BeforeAll
    static void start() {
        server = GuardServer.start(Service.class, "--latchkey.guard.permits=1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        probe.forget();
    }

    @AfterEach
    void letGo() {
        probe.gate.countDown();
    }

    @Test
    void floodOfLogins_leavesAnUnrelatedEndpointAlone() throws Exception {
        probe.gate = new CountDownLatch(1);
        List<CompletableFuture<HttpResponse<String>>> logins = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            logins.add(server.getLater("/hello", "flood" + i, "right"));
        }
        probe.begun.acquire();
        for (int i = 0; i < 20; i++) {
            assertThat(server.get("/open").body()).isEqualTo("open");
        }
        // One request has the permit, and a quarter of the eight threads waits; all other requests have answers.
        until(() -> logins.stream().filter(CompletableFuture::isDone).count() >= 37);
        probe.gate.countDown();
        List<Integer> answers =
                logins.stream().map(login -> login.join().statusCode()).toList();
        assertThat(answers).containsOnly(200, 503);
        assertThat(answers.stream().filter(status -> status == 200)).hasSize(3);
    }

    @Test
    void hash_isComputedOnTheThreadOfItsRequest() throws Exception {
        server.get("/hello", "ann", "right");
        server.get("/hello", "ann", "wrong");
        server.get("/hello", "unknown", "right");
        assertThat(probe.threads).isNotEmpty().allMatch(name -> name.startsWith("http-nio"));
    }

    @Test
    void hit_needsNoPermit() throws Exception {
        server.get("/hello", "hit", "right");
        long completed = server.bean(HashingPermits.class).stats().completed();
        assertThat(server.get("/hello", "hit", "right").body()).isEqualTo("Hello hit");
        assertThat(server.bean(HashingPermits.class).stats().completed()).isEqualTo(completed);
    }

    @Test
    void unknownClientsFailures_areRefused_andTheOwnerIsNotAtHisOwnPlace() throws Exception {
        assertThat(server.get("/hello", "limited", "right", "198.51.100.1").statusCode())
                .isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            assertThat(server.get("/hello", "limited", "wrong" + i, "198.51.100.2")
                            .statusCode())
                    .isEqualTo(401);
        }
        HttpResponse<String> refused = server.get("/hello", "limited", "wrong", "198.51.100.2");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.headers().firstValue("RateLimit"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("\"login\";r=0;t="));
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refused.headers().firstValue("WWW-Authenticate")).isEmpty();
        assertThat(refused.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(server.get("/hello", "limited", "right", "198.51.100.1").statusCode())
                .isEqualTo(200);
    }

    @Test
    void refusedLogin_asksTheUserStoreNothing() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.get("/hello", "looked-up", "wrong" + i);
        }
        Service.LOOKUPS.set(0);
        assertThat(server.get("/hello", "looked-up", "wrong").statusCode()).isEqualTo(429);
        assertThat(Service.LOOKUPS).hasValue(0);
    }

    @Test
    void clientThatGoesAway_leavesNothingBehind() throws Exception {
        probe.gate = new CountDownLatch(1);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET /hello HTTP/1.1\r\nHost: x\r\nAuthorization: " + GuardServer.basic("gone", "right")
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            probe.begun.acquire();
        }
        probe.gate.countDown();
        assertThat(server.get("/hello", "gone", "right").statusCode()).isEqualTo(200);
        // The answer is there before the request has ended on its thread.
        until(() -> server.bean(LoginLimits.class).stats().contended() == 0);
        assertThat(server.bean(HashingPermits.class).stats().waiting()).isZero();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static final HashingProbe PROBE = new HashingProbe();
        static final AtomicInteger LOOKUPS = new AtomicInteger();

        @Bean
        PasswordEncoder encoder() {
            return PROBE;
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                LOOKUPS.incrementAndGet();
                if (name.equals("unknown")) {
                    throw new org.springframework.security.core.userdetails.UsernameNotFoundException(name);
                }
                return User.withUsername(name)
                        .password(HashingProbe.stored(name, "right"))
                        .roles("USER")
                        .build();
            };
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/open")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(basic -> {})
                    .build();
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping("/open")
        String open() {
            return "open";
        }

        @GetMapping("/hello")
        String hello(java.security.Principal principal) {
            return "Hello " + principal.getName();
        }
    }
}
