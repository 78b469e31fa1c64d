package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Unusual services: too little room, virtual threads, old filters. */
class GuardServerVariantsTest {

    static final HashingProbe PROBE = new HashingProbe();

    @Test
    void overload_isA503WithRetryAfter() throws Exception {
        try (GuardServer server =
                GuardServer.start(Service.class, "--latchkey.guard.permits=1", GuardServer.ONE_WAITS)) {
            server.get("/hello", "first", "right");
            PROBE.forget();
            PROBE.gate = new CountDownLatch(1);
            CompletableFuture<HttpResponse<String>> running = server.getLater("/hello", "running", "right");
            PROBE.begun.acquire();
            CompletableFuture<HttpResponse<String>> one = server.getLater("/hello", "one", "right");
            CompletableFuture<HttpResponse<String>> other = server.getLater("/hello", "other", "right");
            // One of them waits, and there is no place for both.
            HttpResponse<?> refused =
                    (HttpResponse<?>) CompletableFuture.anyOf(one, other).join();
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isEmpty();
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            PROBE.gate.countDown();
            assertThat(running.join().statusCode()).isEqualTo(200);
            assertThat(Stream.of(one, other).map(login -> login.join().statusCode()))
                    .containsExactlyInAnyOrder(200, 503);
        }
    }

    static Stream<Boolean> virtualThreads() {
        return Runtime.version().feature() < 21 ? Stream.of(false) : Stream.of(false, true);
    }

    @ParameterizedTest
    @MethodSource("virtualThreads")
    void hash_isOnTheRequestsThread_whateverThreadsRequestsHave(boolean virtual) throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, "--spring.threads.virtual.enabled=" + virtual)) {
            PROBE.forget();
            String prefix = virtual ? "tomcat-handler-" : "http-nio";
            assertThat(server.get("/hello", "virtual", "right").body()).contains(prefix);
            assertThat(PROBE.threads).isNotEmpty().allMatch(each -> each.startsWith(prefix));
        }
    }

    @Test
    void serviceWithoutAsynchronousDispatchesThroughSecurity_isTheSame() throws Exception {
        try (GuardServer server =
                GuardServer.start(Service.class, "--spring.security.filter.dispatcher-types=request,error")) {
            assertThat(server.get("/hello", "ann", "wrong").statusCode()).isEqualTo(401);
            assertThat(server.get("/hello", "ann", "right").body()).startsWith("Hello ann");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        PasswordEncoder encoder() {
            return PROBE;
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .roles("USER")
                    .build();
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping("/hello")
        String hello(java.security.Principal principal) {
            return "Hello " + principal.getName() + " on "
                    + Thread.currentThread().getName();
        }
    }
}
