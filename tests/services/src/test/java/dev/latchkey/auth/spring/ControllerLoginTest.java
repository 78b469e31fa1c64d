package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** A service with a login controller, behind a chain without passwords. */
class ControllerLoginTest {

    private final HashingProbe probe = new HashingProbe();

    @Test
    void controllersLogins_areLimitedAndTheirHashesBounded() throws Exception {
        Service.probe = probe;
        try (GuardServer server =
                GuardServer.start(ServiceThatHoldsOne.class, "--latchkey.guard.permits=1", GuardServer.ONE_WAITS)) {
            requireOthersServed(server);
            requireLimits(server);
            HttpResponse<String> overloaded = overloaded(server);
            assertThat(overloaded.statusCode()).isEqualTo(503);
            assertThat(overloaded.headers().firstValue("Retry-After")).isPresent();
            assertThat(overloaded.headers().firstValue("X-Content-Type-Options"))
                    .contains("nosniff");
            assertThat(server.send(login(server, "known", "right")).body()).isEqualTo("Hello known");
        }
    }

    @Test
    void serviceThatHandlesRefusals_isGivenThem() throws Exception {
        Service.probe = probe;
        try (GuardServer server = GuardServer.start(
                Service.class, "--handles-refusals=true", "--latchkey.guard.permits=1", GuardServer.ONE_WAITS)) {
            server.send(login(server, "known", "right"));
            assertThat(overloaded(server).statusCode()).isEqualTo(418);
        }
    }

    @Test
    void loginOnAnotherThread_isLimitedToo() throws Exception {
        Service.probe = probe;
        try (GuardServer server = GuardServer.start(
                Service.class,
                "--latchkey.guard.limits.account[0].tokens=7",
                "--latchkey.guard.limits.account[0].per=1d")) {
            List<Integer> answers = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                answers.add(server.send(form(server, "/api/later", "elsewhere", "wrong" + i))
                        .statusCode());
            }
            assertThat(answers)
                    .startsWith(403, 403, 403, 403, 403, 403, 403)
                    .contains(429)
                    .containsOnly(403, 429);
        }
    }

    /** What is answered while one hash runs and another login waits. */
    private HttpResponse<String> overloaded(GuardServer server) throws Exception {
        probe.forget();
        probe.gate = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> running = server.later(login(server, "running", "right"));
        probe.begun.acquire();
        CompletableFuture<HttpResponse<String>> waiting = server.later(login(server, "waiting", "right"));
        // It asks for a permit first, and then for the one place to wait in.
        until(() -> server.bean(HashingPermits.class).stats().waiting() > 0
                && server.bean(WaitingThreads.class).waiting() > 0);
        HttpResponse<String> refused = server.send(login(server, "newcomer", "right"));
        probe.gate.countDown();
        assertThat(running.join().statusCode()).isEqualTo(200);
        assertThat(waiting.join().statusCode()).isEqualTo(200);
        return refused;
    }

    private void requireOthersServed(GuardServer server) throws Exception {
        probe.gate = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> waiting = server.later(login(server, "known", "right"));
        probe.begun.acquire();
        assertThat(server.get("/open").body()).isEqualTo("open");
        probe.gate.countDown();
        assertThat(waiting.join().body()).isEqualTo("Hello known");
    }

    private void requireLimits(GuardServer server) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(server.send(login(server, "limited", "wrong" + i)).statusCode())
                    .isEqualTo(403);
        }
        CompletableFuture<HttpResponse<String>> held = server.later(login(server, "limited", "wrong"));
        HeldRefusals refusals = server.bean(HeldRefusals.class);
        until(() -> {
            assertThat(held).isNotDone();
            return refusals.held() > 0;
        });
        HttpResponse<String> aboveTheBound = server.send(login(server, "limited", "wrong"));
        assertThat(aboveTheBound.statusCode()).isEqualTo(429);
        assertThat(aboveTheBound.headers().firstValue("Retry-After")).isPresent();
        assertThat(aboveTheBound.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(held).isNotDone();

        refusals.close();
        assertThat(held.join().statusCode()).isEqualTo(429);
        assertThat(held.join().body()).isEqualTo(aboveTheBound.body());
        assertThat(held.join().headers().map().keySet())
                .isEqualTo(aboveTheBound.headers().map().keySet());
        assertThat(refusals.held()).isZero();
    }

    private static HttpRequest.Builder login(GuardServer server, String name, String password) {
        return form(server, "/api/login", name, password);
    }

    private static HttpRequest.Builder form(GuardServer server, String path, String name, String password) {
        return server.request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("username=" + name + "&password=" + password));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class ServiceThatHoldsOne {

        @Bean
        HeldRefusals refusals(GuardTime time) {
            return new HeldRefusals(Duration.ofMinutes(1), 1, time);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        static HashingProbe probe;

        @Bean
        PasswordEncoder encoder() {
            return probe;
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .build();
        }

        @Bean
        AuthenticationManager passwords(AuthenticationConfiguration configuration) throws Exception {
            return configuration.getAuthenticationManager();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        CatchAll catchAll() {
            return new CatchAll();
        }

        @Bean
        @ConditionalOnProperty("handles-refusals")
        ForRefusals forRefusals() {
            return new ForRefusals();
        }

        @Bean
        Endpoints endpoints(AuthenticationManager passwords) {
            return new Endpoints(passwords);
        }

        @Bean
        OtherThreads otherThreads(Endpoints endpoints) {
            return new OtherThreads(endpoints);
        }
    }

    @RestController
    record Endpoints(AuthenticationManager passwords) {

        @GetMapping("/open")
        String open() {
            return "open";
        }

        @PostMapping("/api/login")
        ResponseEntity<String> login(
                @RequestParam("username") String username, @RequestParam("password") String password) {
            try {
                String name = passwords
                        .authenticate(UsernamePasswordAuthenticationToken.unauthenticated(username, password))
                        .getName();
                return ResponseEntity.ok("Hello " + name);
            } catch (AuthenticationException e) {
                return ResponseEntity.status(403).body("unknown user or wrong password");
            }
        }
    }

    @RestController
    record OtherThreads(Endpoints endpoints) {

        @PostMapping("/api/later")
        Callable<ResponseEntity<String>> login(
                @RequestParam("username") String username, @RequestParam("password") String password) {
            return () -> endpoints.login(username, password);
        }
    }

    /** As many services have one. */
    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler
        ResponseEntity<String> anything(RuntimeException e) {
            return ResponseEntity.internalServerError().body("internal error");
        }
    }

    @Order(Ordered.HIGHEST_PRECEDENCE)
    @RestControllerAdvice
    static class ForRefusals {

        @ExceptionHandler(AuthUnavailableException.class)
        ResponseEntity<String> refusal() {
            return ResponseEntity.status(418).build();
        }
    }
}
