package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.foreign.StrangeFilter;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HashingPoolSettings;
import dev.latchkey.auth.guard.LoginLimits;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Services in which something is unusual: too little room, virtual threads, filters that were not made for this. */
class GuardServerVariantsTest {

    static final HashingProbe PROBE = new HashingProbe();

    // G4
    @Test
    void g4_overload_isA503WithRetryAfter() throws Exception {
        try (GuardServer server = GuardServer.start(TinyPool.class)) {
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

    @Test
    void hashThatTakesTooLong_isA503AndTheRequestIsOver() throws Exception {
        try (GuardServer server = GuardServer.start(TinyPool.class, "--latchkey.guard.async-timeout=500ms")) {
            server.get("/hello", "first", "right");
            PROBE.gate = new CountDownLatch(1);
            HttpResponse<String> late = server.get("/hello", "late", "right");
            assertThat(late.statusCode()).isEqualTo(503);
            assertThat(late.headers().firstValue("Retry-After")).isPresent();
            PROBE.gate.countDown();
            HttpResponse<String> again = server.get("/hello", "late", "right");
            for (int i = 0; i < 40 && again.statusCode() == 503; i++) {
                // Half a second is short on a machine that does many other things.
                again = server.get("/hello", "late", "right");
            }
            assertThat(again.body()).startsWith("Hello late");
            // The answer may be there a moment before the thread that found it has told the limits.
            while (server.bean(LoginLimits.class).stats().contended() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    static Stream<Boolean> virtualThreads() {
        return Runtime.version().feature() < 21 ? Stream.of(false) : Stream.of(false, true);
    }

    @ParameterizedTest
    @MethodSource("virtualThreads")
    void hash_isOnThePoolWhateverThreadsRequestsHave(boolean virtual) throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, "--spring.threads.virtual.enabled=" + virtual)) {
            PROBE.forget();
            String thread = server.get("/hello", "virtual", "right").body();
            assertThat(thread).contains(virtual ? "tomcat-handler-" : "http-nio");
            assertThat(PROBE.threads).isNotEmpty().allMatch(each -> each.startsWith("latchkey-hash-"));
        }
    }

    @Test
    void filterMadeForOneDispatch_isPassedOnceAndTheThreadWaits() throws Exception {
        try (GuardServer server = GuardServer.start(WithStrangeFilter.class)) {
            PROBE.forget();
            StrangeFilter filter = server.bean(StrangeFilter.class);
            assertThat(server.get("/hello", "strange", "right").body()).endsWith("for acme");
            assertThat(filter.calls).hasValue(1);
            assertThat(PROBE.threads).isNotEmpty().allMatch(each -> each.startsWith("latchkey-hash-"));
            PROBE.gate = new CountDownLatch(1);
            PROBE.begun.drainPermits();
            CompletableFuture<HttpResponse<String>> waiting = server.getLater("/hello", "waiting", "right");
            PROBE.begun.acquire();
            assertThat(Thread.getAllStackTraces().entrySet())
                    .anyMatch(entry -> entry.getKey().getName().startsWith("http-nio")
                            && Stream.of(entry.getValue())
                                    .anyMatch(frame -> frame.getClassName().equals(StrangeFilter.class.getName())));
            PROBE.gate.countDown();
            assertThat(waiting.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void asyncDispatchesThatDoNotPassSecurity_areNotUsed() throws Exception {
        try (GuardServer server =
                GuardServer.start(Service.class, "--spring.security.filter.dispatcher-types=request,error")) {
            PROBE.forget();
            assertThat(server.get("/hello", "ann", "wrong").statusCode()).isEqualTo(401);
            assertThat(server.get("/hello", "ann", "right").body()).startsWith("Hello ann");
            assertThat(PROBE.threads).isNotEmpty().allMatch(each -> each.startsWith("latchkey-hash-"));
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

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Service.class)
    static class TinyPool {

        @Bean(destroyMethod = "close")
        HashingPool pool(GuardTime time) {
            HashingPoolSettings settings = HashingPoolSettings.defaults()
                    .withThreads(1)
                    .withMaxQueued(1)
                    .withKnownShare(0)
                    .withMaxWait(java.time.Duration.ofSeconds(50));
            return HashingPool.start(settings, time);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Service.class)
    static class WithStrangeFilter {

        @Bean
        StrangeFilter strange() {
            return new StrangeFilter();
        }

        @Bean
        FilterRegistrationBean<StrangeFilter> strangeFirst(StrangeFilter strange) {
            FilterRegistrationBean<StrangeFilter> registration = new FilterRegistrationBean<>(strange);
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping("/hello")
        String hello(java.security.Principal principal) {
            return "Hello " + principal.getName() + " on "
                    + Thread.currentThread().getName() + " for " + StrangeFilter.TENANT.get();
        }
    }
}
