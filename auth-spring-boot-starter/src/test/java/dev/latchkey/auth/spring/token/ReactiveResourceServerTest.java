package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.ReactiveLoginEndpointsTest;
import dev.latchkey.auth.spring.metrics.LoginService;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.Disposable;

/** Spring's OAuth2 resource server for WebFlux on Latchkey's decoder. */
class ReactiveResourceServerTest {

    private final ReactiveWebApplicationContextRunner withoutAChain = ReactiveServices.resourceServer();
    private final ReactiveWebApplicationContextRunner service = withoutAChain.withUserConfiguration(OwnChain.class);

    @Test
    void bootsOwnChain_runsOnTheDecoder_andHasTheLoginEndpoint() {
        withoutAChain
                .withUserConfiguration(LoginService.class, ReactiveLoginEndpointsTest.Accounts.class)
                .withPropertyValues("latchkey.login.enabled=true")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    String login = client.post()
                            .uri("/auth/token")
                            .header("Content-Type", "application/json")
                            .bodyValue(Services.LOGIN)
                            .exchange()
                            .expectStatus()
                            .isOk()
                            .expectBody(String.class)
                            .returnResult()
                            .getResponseBody();
                    String token = login.replaceAll(".*\"access_token\":\"([^\"]+)\".*", "$1");
                    assertThat(whoAmI(client, token)).isEqualTo("200 alice [ROLE_USER]");
                    client.post()
                            .uri("/auth/logout")
                            .header("Authorization", "Bearer " + token)
                            .exchange()
                            .expectStatus()
                            .isNoContent();
                    assertThat(whoAmI(client, token)).startsWith("401 Bearer error=\"invalid_token\"");
                });
    }

    @Test
    void userAndChainOfBoot_stay_andTheDecoderIsThereAllTheSame() {
        withoutAChain
                .withPropertyValues(
                        "spring.security.user.name=alice", "spring.security.user.password=" + Services.PASSWORD)
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(LatchkeyReactiveJwtDecoder.class)
                            .hasBean("latchkeyLateReactiveJwtDecoder")
                            .doesNotHaveBean(SecurityWebFilterChain.class);
                    WebTestClient client = ReactiveServices.client(context);
                    client.get()
                            .uri("/thread")
                            .header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
                            .exchange()
                            .expectStatus()
                            .isOk();
                });
    }

    @Test
    void keyOfAPlugin_needsNoCsrfToken() {
        withoutAChain
                .withUserConfiguration(BothInOneChain.class)
                .withBean(RevocableKey.class)
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    client.post()
                            .uri("/nowhere")
                            .header("X-Key", "good")
                            .exchange()
                            .expectStatus()
                            .isNotFound();
                    client.post().uri("/nowhere").exchange().expectStatus().isForbidden();
                });
    }

    @Test
    void badTokens_areChallengedWithTheCodeOfTheirDefect() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            JwtSigner signer = context.getBean(JwtSigner.class);
            context.getBean(RevocationStore.class)
                    .revokeSubject("bob", Instant.now().plusSeconds(60));
            String good = tokenOf(context);
            String expired = signer.sign(
                    JwtClaims.forSubject("alice", Duration.ofSeconds(1)).withIssuedAt(Instant.EPOCH));
            String revoked = signer.sign(JwtClaims.forSubject("bob", Duration.ofMinutes(1)));
            String bound = signer.sign(
                    JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with("cnf", Map.of("jkt", "x")));
            Map<String, String> bad = Map.of(
                    good + "x",
                    "bad_mac",
                    "no-token",
                    "malformed",
                    expired,
                    "expired",
                    revoked,
                    "revoked",
                    bound,
                    "bound_to_key");
            bad.forEach((token, code) -> assertThat(whoAmI(client, token))
                    .startsWith("401 Bearer error=\"invalid_token\"")
                    .contains("error_description=\"The token was not accepted: " + code + "\""));
            assertThat(whoAmI(client, good)).isEqualTo("200 alice []");
        });
    }

    @Test
    void authoritiesOfAnotherForm_areMalformed() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            JwtSigner signer = context.getBean(JwtSigner.class);
            for (Object odd : List.of(List.of("ROLE_USER", ""), List.of(Map.of("authority", "ROLE_USER")), 1, "a  b")) {
                for (String name : List.of("authorities", "scope", "scp")) {
                    String token = signer.sign(
                            JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with(name, odd));
                    assertThat(whoAmI(client, token)).startsWith("401").contains("malformed");
                }
            }
        });
    }

    @Test
    void scopesAndAuthorities_areBothSeen_andTooFewAreAnInsufficientScope() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            String token = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1))
                            .with("scope", "read write")
                            .with("authorities", List.of("ROLE_USER")));
            assertThat(whoAmI(client, token)).isEqualTo("200 alice [ROLE_USER, SCOPE_read, SCOPE_write]");
            client.get()
                    .uri("/admin")
                    .header("Authorization", "Bearer " + token)
                    .exchange()
                    .expectStatus()
                    .isForbidden()
                    .expectHeader()
                    .valueMatches("WWW-Authenticate", "Bearer error=\"insufficient_scope\".*");
        });
    }

    @Test
    void validatorsOfTheService_areAsked() {
        OAuth2TokenValidator<Jwt> onlyBob = jwt -> jwt.getSubject().equals("bob")
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token"));
        service.withBean(OAuth2TokenValidator.class, () -> onlyBob)
                .run(context -> assertThat(whoAmI(ReactiveServices.client(context), tokenOf(context)))
                        .startsWith("401 "));
    }

    @Test
    void validatorsOfTheService_areAskedByIntrospection() {
        AtomicBoolean rejecting = new AtomicBoolean();
        OAuth2TokenValidator<Jwt> validator = jwt -> rejecting.get()
                ? OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token"))
                : OAuth2TokenValidatorResult.success();
        withoutAChain
                .withUserConfiguration(LoginService.class, ReactiveLoginEndpointsTest.Accounts.class)
                .withBean(OAuth2TokenValidator.class, () -> validator)
                .withPropertyValues(
                        "latchkey.login.enabled=true",
                        "latchkey.login.introspection=true",
                        "latchkey.login.clients.app.secret=0123456789abcdefghijkl")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    String token = tokenOf(context);
                    assertThat(introspect(client, token)).contains("\"active\":true");
                    rejecting.set(true);
                    assertThat(introspect(client, token)).isEqualTo("{\"active\":false}");
                });
    }

    private static String introspect(WebTestClient client, String token) {
        return client.post()
                .uri("/auth/introspect")
                .header("Authorization", ReactiveServices.basic("app", "0123456789abcdefghijkl"))
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .bodyValue("token=" + token)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
    }

    @Test
    void storeThatIsDown_isAnErrorOfTheServerAndNoRejection() {
        RevocationStore down = (RevocationStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, arguments) -> {
                    throw AuthUnavailableException.outage("connection refused");
                });
        service.withBean(RevocationStore.class, () -> down)
                .run(context -> assertThat(whoAmI(ReactiveServices.client(context), tokenOf(context)))
                        .startsWith("503 "));
    }

    @Test
    void storeThatMayWait_isNotAskedOnTheCallersThread() {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        RevocationStore memory = new InMemoryRevocationStore(Duration.ofHours(1));
        RevocationStore far = (RevocationStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, arguments) -> {
                    threads.add(Thread.currentThread().getName());
                    return method.invoke(memory, arguments);
                });
        service.withBean(RevocationStore.class, () -> far).run(context -> {
            assertThat(whoAmI(ReactiveServices.client(context), tokenOf(context)))
                    .startsWith("200 ");
            assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("boundedElastic-"));
        });
    }

    /** An interrupted store looks like an outage, and the copy of the revocations would ask it no more for a moment. */
    @Test
    void clientThatGoesAway_doesNotInterruptTheStore() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
        RevocationStore far = (RevocationStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RevocationStore.class}, (proxy, method, arguments) -> {
                    asked.countDown();
                    try {
                        gone.await();
                        isInterrupted.complete(Thread.currentThread().isInterrupted());
                    } catch (InterruptedException e) {
                        isInterrupted.complete(true);
                    }
                    throw AuthUnavailableException.outage("The client is gone");
                });
        service.withBean(RevocationStore.class, () -> far).run(context -> {
            Disposable request = context.getBean(ReactiveJwtDecoder.class)
                    .decode(tokenOf(context))
                    .subscribe();
            asked.await();
            request.dispose();
            gone.countDown();
            assertThat(isInterrupted.get()).isFalse();
        });
    }

    @Test
    void chainThatIsAResourceServerAndHasLatchkey_leavesTokensToTheResourceServer() {
        withoutAChain
                .withUserConfiguration(BothInOneChain.class)
                .run(context -> assertThat(whoAmI(ReactiveServices.client(context), tokenOf(context)))
                        .isEqualTo("200 alice []"));
    }

    @Test
    void nimbus_isNotNeeded() {
        service.withClassLoader(new FilteredClassLoader("com.nimbusds"))
                .run(context -> assertThat(whoAmI(ReactiveServices.client(context), tokenOf(context)))
                        .startsWith("200 "));
    }

    /** The status, and the body or the challenge. */
    private static String whoAmI(WebTestClient client, String token) {
        var answer = client.get()
                .uri("/whoami")
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectBody(String.class)
                .returnResult();
        String challenge = answer.getResponseHeaders().getFirst("WWW-Authenticate");
        return answer.getStatus().value() + " " + (challenge == null ? answer.getResponseBody() : challenge);
    }

    private static String tokenOf(ApplicationContext context) {
        return context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/admin")
                            .hasRole("ADMIN")
                            .anyExchange()
                            .authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BothInOneChain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addToResourceServer(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .build();
        }
    }
}
