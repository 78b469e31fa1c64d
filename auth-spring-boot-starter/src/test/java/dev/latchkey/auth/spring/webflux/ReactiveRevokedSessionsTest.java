package dev.latchkey.auth.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseCookie;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.session.InMemoryReactiveSessionRegistry;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.PreventLoginServerMaximumSessionsExceededHandler;
import org.springframework.security.web.server.authentication.SessionLimit;
import org.springframework.security.web.server.authentication.SwitchUserWebFilter;
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository;
import org.springframework.session.MapSession;
import org.springframework.session.ReactiveMapSessionRepository;
import org.springframework.session.ReactiveSessionRepository;
import org.springframework.session.config.annotation.web.server.EnableSpringWebSession;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.session.WebSessionManager;
import reactor.core.publisher.Mono;

/** As {@code RevokedSessionsTest}, on WebFlux. */
class ReactiveRevokedSessionsTest {

    private Instant now = Instant.parse("2026-11-24T10:00:00Z");
    private boolean isDown;

    private final ReactiveWebApplicationContextRunner withoutAKey = ReactiveServices.web()
            .withUserConfiguration(Chain.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> now);

    private final ReactiveWebApplicationContextRunner service = withoutAKey
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
            .withBean(
                    RevocationStore.class,
                    () -> Unreliable.around(
                            RevocationStore.class,
                            new InMemoryRevocationStore(Duration.ofHours(1), () -> now),
                            method -> isDown));

    @Test
    void revocation_endsTheSessionsOfBefore_andNoSessionOfAnotherAccount() {
        service.run(context -> {
            String alice = login(context, "", "alice");
            String bob = login(context, "", "bob");
            revoke(context);
            assertThat(hello(context, alice)).isEqualTo("302 null");
            assertThat(hello(context, bob)).isEqualTo("200 Hello bob");
        });
    }

    /** A session of Spring Session keeps its attributes for the rest of the request that ends the session. */
    @Test
    void revocation_endsTheSessionsOfSpringSession() {
        service.withUserConfiguration(SharedSessions.class).run(context -> {
            String alice = login(context, "", "alice");
            assertThat(hello(context, alice)).isEqualTo("200 Hello alice");
            revoke(context);
            assertThat(hello(context, alice)).isEqualTo("302 null");
            assertThat(hello(context, login(context, "", "alice"))).isEqualTo("200 Hello alice");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSpringWebSession
    static class SharedSessions {

        @Bean
        ReactiveSessionRepository<MapSession> sessions() {
            return new ReactiveMapSessionRepository(new ConcurrentHashMap<>());
        }
    }

    @Test
    void revocation_endsSessions_alsoWithoutThePluginOfTokens_andWithoutAKey() {
        for (ReactiveWebApplicationContextRunner each :
                List.of(service.withPropertyValues("latchkey.plugins=users"), withoutAKey)) {
            each.run(context -> {
                String alice = login(context, "", "alice");
                revoke(context);
                assertThat(hello(context, alice)).isEqualTo("302 null");
            });
        }
    }

    @Test
    void revocation_endsTheSessionsOfAChainWithCookiesForTokens() {
        service.withPropertyValues("shop.cookies=true").run(context -> {
            String alice = login(context, "", "alice");
            assertThat(hello(context, alice)).isEqualTo("200 Hello alice");
            revoke(context);
            assertThat(hello(context, alice)).isEqualTo("302 null");
        });
    }

    /** This chain reads no tokens of Latchkey, so the header field says nothing about the caller. */
    @Test
    void revocation_endsTheSessionsOfAResourceServer_alsoForARequestWithATokenOfAnyKind() {
        service.withPropertyValues("shop.resource-server=true").run(context -> {
            String alice = login(context, "", "alice");
            revoke(context);
            FluxExchangeResult<String> result = ReactiveServices.client(context)
                    .get()
                    .uri("/hello")
                    .cookie("SESSION", alice)
                    .header("Authorization", "Bearer any")
                    .exchange()
                    .returnResult(String.class);
            assertThat(result.getStatus().value()).isEqualTo(302);
        });
    }

    @Test
    void requestOfAServiceWithoutSessions_reachesTheService() {
        service.withBean("webSessionManager", WebSessionManager.class, () -> exchange -> Mono.empty())
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    client.get()
                            .uri("/open")
                            .exchange()
                            .expectBody(String.class)
                            .isEqualTo("open");
                    client.get().uri("/hello").exchange().expectStatus().isFound();
                });
    }

    @Test
    void loginAfterTheRevocation_isGood_inASessionOfBeforeToo() {
        service.run(context -> {
            String anonymous = cookieOf(ReactiveServices.client(context)
                    .get()
                    .uri("/cart")
                    .exchange()
                    .returnResult(String.class));
            revoke(context);
            String session = login(context, anonymous, "alice");
            assertThat(hello(context, session)).isEqualTo("200 Hello alice");
            revoke(context);
            assertThat(hello(context, session)).isEqualTo("302 null");
        });
    }

    @Test
    void loginInAnotherAttributeOfTheSession_isRevokedToo() {
        service.withPropertyValues("shop.attribute=SHOP_LOGIN").run(context -> {
            String session = login(context, "", "alice");
            assertThat(hello(context, session)).isEqualTo("200 Hello alice");
            revoke(context);
            assertThat(hello(context, session)).isEqualTo("302 null");
            assertThat(hello(context, login(context, "", "alice"))).isEqualTo("200 Hello alice");
        });
    }

    @Test
    void switchedUser_isALoginOfBothAccounts_andTheWayBackIsNoNewLogin() {
        ReactiveWebApplicationContextRunner switching = service.withPropertyValues("shop.switch=true");
        switching.run(context -> {
            String session = switched(context);
            revoke(context);
            assertThat(hello(context, session)).isEqualTo("302 null");
        });
        switching.run(context -> {
            Instant loggedIn = now;
            String session = switched(context);
            now = now.plusSeconds(2);
            session = posted(context, "/logout/impersonate", session);
            assertThat(hello(context, session)).isEqualTo("200 Hello alice");
            context.getBean(AuthChain.class).revokeAll("alice", loggedIn.plusSeconds(1));
            assertThat(hello(context, session)).isEqualTo("302 null");
        });
    }

    private String switched(ApplicationContext context) {
        String session = login(context, "", "alice");
        now = now.plusSeconds(2);
        session = posted(context, "/login/impersonate?username=bob", session);
        assertThat(hello(context, session)).isEqualTo("200 Hello bob");
        return session;
    }

    private static String posted(ApplicationContext context, String path, String session) {
        FluxExchangeResult<String> result = ReactiveServices.client(context)
                .post()
                .uri(path)
                .cookie("SESSION", session)
                .exchange()
                .returnResult(String.class);
        @Nullable ResponseCookie cookie = result.getResponseCookies().getFirst("SESSION");
        return cookie == null ? session : cookie.getValue();
    }

    /** Spring Security's list of sessions has no time-out on WebFlux, so only the end of the session frees the place. */
    @Test
    void revokedSession_freesItsPlaceAmongTheSessionsOfTheAccount_atItsNextRequest() {
        service.withPropertyValues("shop.single=true").run(context -> {
            String session = login(context, "", "alice");
            assertThat(sent(context, "", "alice").getResponseHeaders().getLocation())
                    .hasToString("/login?error");
            revoke(context);
            assertThat(hello(context, session)).isEqualTo("302 null");
            assertThat(sent(context, "", "alice").getResponseHeaders().getLocation())
                    .hasToString("/");
        });
    }

    @Test
    void storeThatDoesNotAnswer_isAnOutageForSessions() {
        service.run(context -> {
            String session = login(context, "", "alice");
            isDown = true;
            assertThat(hello(context, session)).startsWith("503");
            isDown = false;
            assertThat(hello(context, session)).startsWith("200");
        });
    }

    private void revoke(ApplicationContext context) {
        context.getBean(AuthChain.class).revokeAll("alice", now);
        now = now.plusSeconds(2);
    }

    private static String login(ApplicationContext context, String session, String name) {
        return cookieOf(sent(context, session, name));
    }

    private static FluxExchangeResult<String> sent(ApplicationContext context, String session, String name) {
        return ReactiveServices.client(context)
                .post()
                .uri("/login")
                .cookie("SESSION", session)
                .body(BodyInserters.fromFormData("username", name).with("password", Services.PASSWORD))
                .exchange()
                .returnResult(String.class);
    }

    private static String cookieOf(FluxExchangeResult<String> result) {
        @Nullable ResponseCookie cookie = result.getResponseCookies().getFirst("SESSION");
        assertThat(cookie).isNotNull();
        return cookie == null ? "" : cookie.getValue();
    }

    private static String hello(ApplicationContext context, String session) {
        FluxExchangeResult<String> result = ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .cookie("SESSION", session)
                .exchange()
                .returnResult(String.class);
        return result.getStatus().value() + " " + result.getResponseBody().blockFirst(Duration.ofSeconds(30));
    }

    @RestController
    static class Shop {

        @GetMapping("/cart")
        Mono<String> cart(WebSession session) {
            session.getAttributes().put("cart", "book");
            return Mono.just("book");
        }

        @GetMapping("/open")
        Mono<String> open() {
            return Mono.just("open");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("alice").password(Services.HASH).build(),
                    User.withUsername("bob").password(Services.HASH).build());
        }

        @Bean
        ReactiveServices.Hello hello() {
            return new ReactiveServices.Hello();
        }

        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http,
                LatchkeyWebFlux latchkey,
                @Value("${shop.cookies:false}") boolean hasCookies,
                @Value("${shop.resource-server:false}") boolean isResourceServer,
                @Value("${shop.switch:false}") boolean switches,
                @Value("${shop.single:false}") boolean isSingle,
                @Value("${shop.attribute:}") String attribute) {
            if (!attribute.isEmpty()) {
                WebSessionServerSecurityContextRepository named = new WebSessionServerSecurityContextRepository();
                named.setSpringSecurityContextAttrName(attribute);
                http.securityContextRepository(named);
            }
            if (isSingle) {
                http.sessionManagement(sessions -> sessions.concurrentSessions(concurrent -> concurrent
                        .sessionRegistry(new InMemoryReactiveSessionRegistry())
                        .maximumSessions(SessionLimit.of(1))
                        .maximumSessionsExceededHandler(new PreventLoginServerMaximumSessionsExceededHandler())));
            }
            if (switches) {
                http.addFilterAfter(
                        new SwitchUserWebFilter(accounts(), "/hello", "/login?error"),
                        SecurityWebFiltersOrder.AUTHORIZATION);
            }
            if (hasCookies) {
                latchkey.addTo(http, LoginCookies.named("shop"));
            } else if (isResourceServer) {
                latchkey.addToResourceServer(http);
            } else {
                latchkey.addTo(http);
            }
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .formLogin(withDefaults())
                    .authorizeExchange(rules -> rules.pathMatchers("/cart", "/open")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }
    }
}
