package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import reactor.core.publisher.Mono;

/** {@link FloodedGuessesTest} for WebFlux, where a hash waits with no thread: here none can be computed in time by the estimate. */
class ReactiveFloodedGuessesTest {

    private static final int AT_KNOWN_CLIENT = 7;
    private static final HashingProbe PROBE = new HashingProbe();

    private static GuardServer server;

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<CompletableFuture<Boolean>> flood = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                WebApplicationType.REACTIVE,
                Service.class,
                "--latchkey.guard.permits=1",
                "--latchkey.guard.max-wait=100ms",
                "--latchkey.guard.refusals.delay=1ms",
                "--latchkey.guard.limits.known-client[0].tokens=" + AT_KNOWN_CLIENT,
                "--latchkey.guard.limits.known-client[0].per=1d",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void letGo() {
        endFlood();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void guessesWhereTheOwnerHasLoggedIn_areCountedAsWithoutTheFlood(Way way) {
        String owner = "shared-place-" + way;
        way.logIn(owner, "198.51.100.1");
        way.logIn(owner, "198.51.100.2");
        beginFlood();
        for (int i = 0; i < AT_KNOWN_CLIENT; i++) {
            assertThat(way.status(owner, "guess" + i, "198.51.100.1")).isEqualTo(503);
        }
        assertThat(way.status(owner, "one more", "198.51.100.1")).isEqualTo(429);
        assertThat(way.status(owner, "right", "198.51.100.1")).isEqualTo(429);
        assertThat(way.status(owner, "right", "198.51.100.2")).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void guessesFromElsewhere_areAllAnsweredAlike_theRightOneToo(Way way) {
        String owner = "remembered-" + way;
        way.logIn(owner, "198.51.100.3");
        beginFlood();
        for (int i = 0; i < 10; i++) {
            assertThat(way.status(owner, "guess" + i, "198.51.100.4")).isEqualTo(503);
        }
        assertThat(way.status(owner, "right", "198.51.100.4")).isEqualTo(503);
        assertThat(way.status("unknown", "right", "198.51.100.4")).isEqualTo(503);
        assertThat(way.status(owner, "right", "198.51.100.3")).isEqualTo(200);
        endFlood();
        way.logIn(owner, "198.51.100.4");
    }

    /** One hash lasts as long as the test wants, so each further login waits too long. */
    private void beginFlood() {
        CountDownLatch begun = new CountDownLatch(1);
        HashingPermits permits = server.bean(HashingPermits.class);
        // Patient, so the request is not rejected. On a new thread: the HTTP client may need the only thread of the
        // common
        // pool.
        flood.add(CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return permits.callPatiently(0, () -> {
                            begun.countDown();
                            end.await();
                            return true;
                        });
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start()));
        until(() -> begun.getCount() == 0);
    }

    private void endFlood() {
        end.countDown();
        flood.forEach(CompletableFuture::join);
        flood.clear();
    }

    /** A way in. */
    enum Way {
        BASIC,
        ENDPOINT;

        private int status(String name, String password, String from) {
            CompletableFuture<HttpResponse<String>> answer = this == BASIC
                    ? server.later(server.request("/hello")
                            .header("Authorization", GuardServer.basic(name, password))
                            .header("X-Forwarded-For", from))
                    : server.login(name, password, from);
            return answer.join().statusCode();
        }

        /** On a busy machine the permit of the hash before may come back too late for one. */
        private void logIn(String name, String from) {
            until(() -> status(name, "right", from) == 200);
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
        ReactiveUserDetailsService users() {
            return name -> name.equals("unknown")
                    ? Mono.empty()
                    : Mono.just(User.withUsername(name)
                            .password(HashingProbe.stored(name, "right"))
                            .roles("USER")
                            .build());
        }

        @Bean
        ReactiveServices.Hello hello() {
            return new ReactiveServices.Hello();
        }
    }
}
