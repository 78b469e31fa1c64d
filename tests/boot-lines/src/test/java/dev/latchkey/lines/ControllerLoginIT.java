package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** The packaged starter in a service with a login controller and an exception handler for every exception. */
class ControllerLoginIT {

    private static final Map<String, Object> SERVICE = Map.of(
            "server.port", "0",
            "spring.main.banner-mode", "off",
            "latchkey.guard.trusted-proxies", "127.0.0.0/8",
            "latchkey.guard.permits", "1",
            "latchkey.guard.max-wait", "10ms",
            "latchkey.guard.refusals.delay", "10ms",
            "latchkey.guard.limits.account-and-source[0].tokens", "2",
            "latchkey.guard.limits.account-and-source[0].per", "1d");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void refusals_areTheGuards_onEachLine() throws Exception {
        SpringApplication application = new SpringApplication(Service.class);
        application.setDefaultProperties(SERVICE);
        try (ConfigurableApplicationContext service = application.run()) {
            assertThat(login(service, "alice", "right").body()).isEqualTo("Hello alice");
            assertThat(login(service, "bob", "wrong 1").statusCode()).isEqualTo(403);
            assertThat(login(service, "bob", "wrong 2").statusCode()).isEqualTo(403);
            requireRefused(login(service, "bob", "wrong 3"), 429);
            CountDownLatch end = new CountDownLatch(1);
            CompletableFuture<Boolean> running = service.getBean(HashingPermits.class)
                    .submit(0, false, () -> end.await(60, TimeUnit.SECONDS), hash -> new Thread(hash).start());
            requireRefused(login(service, "somebody else", "wrong"), 503);
            end.countDown();
            assertThat(running.join()).isTrue();
        }
    }

    private static void requireRefused(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    private HttpResponse<String> login(ConfigurableApplicationContext service, String name, String password)
            throws Exception {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        String form = "username=" + name.replace(' ', '+') + "&password=" + password.replace(' ', '+');
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/login"))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Login.class, CatchAll.class})
    static class Service {

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(User.withUsername("alice")
                    .password("{bcrypt}" + new BCryptPasswordEncoder(4).encode("right"))
                    .build());
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
    }

    @RestController
    static class Login {

        private final AuthenticationManager passwords;

        Login(AuthenticationManager passwords) {
            this.passwords = passwords;
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

    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler
        ResponseEntity<String> anything(RuntimeException e) {
            return ResponseEntity.internalServerError().body("internal error");
        }
    }
}
