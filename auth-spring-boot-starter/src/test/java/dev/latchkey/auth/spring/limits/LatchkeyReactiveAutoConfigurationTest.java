package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.auth.spring.ReactiveDropInServices;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.Until;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.RequestContexts;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.test.web.reactive.server.WebTestClient;

class LatchkeyReactiveAutoConfigurationTest {

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withPropertyValues(
                    "spring.security.user.name=alice", "spring.security.user.password=" + Services.PASSWORD);

    @Test
    void sixthWrongPassword_is429WithAProblem() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            for (int i = 0; i < 5; i++) {
                get(client, "alice", "wrong" + i).expectStatus().isUnauthorized();
            }
            get(client, "alice", "wrong")
                    .expectStatus()
                    .isEqualTo(429)
                    .expectHeader()
                    .exists(HttpHeaders.RETRY_AFTER)
                    .expectHeader()
                    .value("RateLimit", limit -> assertThat(limit).matches("\"login\";r=0;t=[1-9][0-9]*"))
                    .expectHeader()
                    .contentType("application/problem+json")
                    .expectHeader()
                    .cacheControl(CacheControl.noStore())
                    .expectHeader()
                    .valueEquals("X-Content-Type-Options", "nosniff")
                    .expectBody(String.class)
                    .value(body -> assertThat(body).contains("\"status\":429"));
        });
    }

    /** BCrypt reads 72 bytes, so each of these texts is the right password, and none is in the cache. */
    @Test
    void manyTextsOfARightPassword_are429_afterTheHashesOfAMinute() {
        String password = "p".repeat(72);
        String stored = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(password);
        service.withPropertyValues("spring.security.user.password=" + stored).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            Map<HttpStatusCode, Integer> answers = new HashMap<>();
            for (int i = 0; i < 300; i++) {
                answers.merge(
                        get(client, "alice", password + i)
                                .returnResult(Void.class)
                                .getStatus(),
                        1,
                        Integer::sum);
            }
            assertThat(answers).containsOnlyKeys(HttpStatus.OK, HttpStatus.TOO_MANY_REQUESTS);
            assertThat(answers.get(HttpStatus.OK)).isBetween(60, 200);
        });
    }

    @Test
    void hashThatCannotBeDoneInTime_is503AndNever401() {
        service.withPropertyValues("latchkey.guard.permits=1", "latchkey.guard.max-wait=1ms")
                .run(context -> {
                    CountDownLatch end = new CountDownLatch(1);
                    CompletableFuture<Boolean> running = running(context.getBean(HashingPermits.class), end);
                    for (String name : new String[] {"alice", "nobody"}) {
                        get(ReactiveServices.client(context), name, Services.PASSWORD)
                                .expectStatus()
                                .isEqualTo(503)
                                .expectHeader()
                                .exists(HttpHeaders.RETRY_AFTER);
                    }
                    end.countDown();
                    assertThat(running.join()).isTrue();
                    // The permit comes back after the answer, on a busy machine more than a millisecond later.
                    WebTestClient client = ReactiveServices.client(context);
                    Until.until(() -> get(client, "alice", Services.PASSWORD)
                            .returnResult(Void.class)
                            .getStatus()
                            .is2xxSuccessful());
                });
    }

    /** A hash that lasts until the end; on a busy machine its own thread may be a millisecond late. */
    private static CompletableFuture<Boolean> running(HashingPermits permits, CountDownLatch end) {
        AtomicReference<CompletableFuture<Boolean>> hash = new AtomicReference<>();
        Until.until(() -> {
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<Boolean> next = permits.submit(
                    0,
                    false,
                    () -> {
                        begun.countDown();
                        return end.await(60, TimeUnit.SECONDS);
                    },
                    task -> new Thread(task).start());
            hash.set(next);
            Until.until(() -> begun.getCount() == 0 || next.isDone());
            return begun.getCount() == 0;
        });
        return hash.get();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReactiveDropInServices.OwnManagerByInterface.class,
                ReactiveDropInServices.OwnManagerByClass.class,
                ReactiveDropInServices.OwnManagerThatDecides.class,
                ReactiveDropInServices.EventsOfItsOwn.class
            })
    void managerOfTheServicesOwn_isLimitedToo(Class<?> manager) {
        service.withUserConfiguration(manager).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            get(client, "alice", Services.PASSWORD).expectStatus().isOk();
            for (int i = 0; i < 5; i++) {
                get(client, "nobody", "wrong" + i).expectStatus().isUnauthorized();
            }
            get(client, "nobody", "wrong").expectStatus().isEqualTo(429);
            get(client, "alice", Services.PASSWORD).expectStatus().isOk();
        });
    }

    @Test
    void managerOfTheServicesOwn_staysOfItsClass() {
        service.withUserConfiguration(ReactiveDropInServices.OwnManagerByClass.class)
                .run(context ->
                        assertThat(context).hasSingleBean(UserDetailsRepositoryReactiveAuthenticationManager.class));
    }

    @Test
    void latchkeyDisabled_leavesNothing() {
        service.withPropertyValues("latchkey.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(ReactiveLoginPostProcessor.class)
                        .doesNotHaveBean(ReactiveRefusalFilter.class)
                        .doesNotHaveBean(LoginLimits.class)
                        .doesNotHaveBean(LoginLimitGate.class));
    }

    @Test
    void guardDisabled_leavesTheCacheAndTheAnswersToPluginsOutages() {
        service.withPropertyValues("latchkey.guard.enabled=false").run(context -> {
            assertThat(context)
                    .hasSingleBean(ReactiveLoginPostProcessor.class)
                    .hasSingleBean(ReactiveRefusalFilter.class);
            get(ReactiveServices.client(context), "alice", Services.PASSWORD)
                    .expectStatus()
                    .isOk();
        });
    }

    @Test
    void ownFilter_replacesOurs() {
        ReactiveRefusalFilter own =
                new ReactiveRefusalFilter(TrustedProxies.none(), RequestContexts.of(null), new ReactiveRefusals(null));
        service.withBean(ReactiveRefusalFilter.class, () -> own)
                .run(context ->
                        assertThat(context).getBean(ReactiveRefusalFilter.class).isSameAs(own));
    }

    @Test
    void observations_areStillMadeOfLogins() {
        service.run(context -> assertThat(context).hasBean(ReactiveLoginPostProcessor.OF_SPRING));
    }

    @Test
    void serviceWithoutSpringSecurityForWebFlux_isLeftAlone() {
        service.withClassLoader(new FilteredClassLoader(ServerHttpSecurity.class))
                .run(context -> assertThat(context).doesNotHaveBean(ReactiveLoginPostProcessor.class));
    }

    @Test
    void servletService_isLeftAlone() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LatchkeyReactiveAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(ReactiveLoginPostProcessor.class));
    }

    private static WebTestClient.ResponseSpec get(WebTestClient client, String name, String password) {
        return client.get()
                .uri("/hello")
                .header("Authorization", ReactiveServices.basic(name, password))
                .exchange();
    }
}
