package dev.latchkey.auth.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.session.InMemoryReactiveSessionRegistry;
import org.springframework.security.core.session.ReactiveSessionRegistry;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.SessionLimit;
import org.springframework.security.web.server.context.ServerSecurityContextRepository;
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/** No session of a WebFlux service keeps a login by credentials that each request brings. */
class ReactiveSessionsTest {

    private static final String CONTEXT =
            WebSessionServerSecurityContextRepository.DEFAULT_SPRING_SECURITY_CONTEXT_ATTR_NAME;

    private static final String COOKIE = "SESSION";

    private final RevocableKey key = new RevocableKey();
    private final Recording stored = new Recording();
    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withUserConfiguration(Chain.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withBean(ReactiveServices.Hello.class)
            .withBean("key", AuthPlugin.class, () -> key)
            .withBean(Recording.class, () -> stored)
            .withBean(ReactiveSessionRegistry.class, InMemoryReactiveSessionRegistry::new)
            .withBean(
                    MapReactiveUserDetailsService.class,
                    () -> new MapReactiveUserDetailsService(User.withUsername("alice")
                            .password(Services.HASH)
                            .authorities("ROLE_USER")
                            .build()))
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @Test
    void tokensAndKeys_areInNoSession() {
        service.run(context -> {
            String token = Services.tokenFrom(answer(client(context)
                            .post()
                            .uri("/auth/token")
                            .contentType(MediaType.APPLICATION_JSON)
                            .bodyValue(Services.LOGIN))
                    .getResponseBody());
            EntityExchangeResult<String> withToken = answer(hello(context).header("Authorization", "Bearer " + token));
            EntityExchangeResult<String> withKey = answer(hello(context).header("X-Key", "good"));
            assertThat(withToken.getResponseBody()).isEqualTo("Hello alice");
            assertThat(withKey.getResponseBody()).isEqualTo("Hello robot");
            assertThat(sessionOf(withToken)).isNull();
            assertThat(sessionOf(withKey)).isNull();
            assertThat(stored.names).isEmpty();
        });
    }

    @Test
    void loginByATokenOrKey_thatTheServiceSaves_isInNoSession() {
        service.withBean(SavedByTheService.class).run(ReactiveSessionsTest::assertSavesNoLoginOfOneRequest);
    }

    @Test
    void loginByATokenOrKey_thatTheServiceSaves_isInNoSessionOfSpringSession() {
        service.withBean(SavedByTheService.class)
                .withUserConfiguration(ReactiveRevokedSessionsTest.SharedSessions.class)
                .run(ReactiveSessionsTest::assertSavesNoLoginOfOneRequest);
    }

    private static void assertSavesNoLoginOfOneRequest(ApplicationContext context) {
        String token = Services.tokenFrom(answer(client(context)
                        .post()
                        .uri("/auth/token")
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(Services.LOGIN))
                .getResponseBody());
        for (String[] field : new String[][] {{"Authorization", "Bearer " + token}, {"X-Key", "good"}}) {
            EntityExchangeResult<String> saved =
                    answer(client(context).get().uri("/save").header(field[0], field[1]));
            assertThat(saved.getStatus().value()).isEqualTo(200);
            String session = sessionOf(saved);
            assertThat(answer(hello(context).cookie(COOKIE, session == null ? "" : session))
                            .getStatus()
                            .value())
                    .as(field[0])
                    .isNotEqualTo(200);
        }
    }

    /** As by a thread that ends after the request. */
    @Test
    void contextThatIsWrittenLater_logsInNobody() {
        service.withBean(Keeper.class).run(context -> {
            String cookie = sessionOf(answer(client(context).get().uri("/keep").header("X-Key", "good")));
            Map<String, Object> kept = context.getBean(Keeper.class).session.getAttributes();
            kept.put("cart", "book");
            kept.put(CONTEXT, new SecurityContextImpl(context.getBean(Keeper.class).login));
            assertThat(answer(hello(context).cookie(COOKIE, cookie)).getResponseBody())
                    .isNotEqualTo("Hello robot");
            assertThat(kept).containsEntry("cart", "book").doesNotContainKey(CONTEXT);
        });
    }

    @Test
    void session_staysItsOwners_whenARequestBringsAKey() {
        service.run(context -> {
            String session = sessionOf(answer(client(context)
                    .post()
                    .uri("/login")
                    .body(BodyInserters.fromFormData("username", "alice").with("password", Services.PASSWORD))));
            assertThat(session).isNotNull();
            assertThat(answer(hello(context).cookie(COOKIE, session).header("X-Key", "good"))
                            .getResponseBody())
                    .isEqualTo("Hello robot");
            assertThat(answer(hello(context).cookie(COOKIE, session)).getResponseBody())
                    .isEqualTo("Hello alice");
            assertThat(stored.names).containsExactly("alice");
        });
    }

    private static WebTestClient client(ApplicationContext context) {
        return ReactiveServices.client(context);
    }

    private static WebTestClient.RequestHeadersSpec<?> hello(ApplicationContext context) {
        return client(context).get().uri("/hello");
    }

    private static EntityExchangeResult<String> answer(WebTestClient.RequestHeadersSpec<?> request) {
        return request.exchange().expectBody(String.class).returnResult();
    }

    private static @Nullable String sessionOf(EntityExchangeResult<String> answer) {
        return answer.getResponseCookies().containsKey(COOKIE)
                ? answer.getResponseCookies().getFirst(COOKIE).getValue()
                : null;
    }

    @RestController
    static final class SavedByTheService {

        private final ServerSecurityContextRepository sessions = new WebSessionServerSecurityContextRepository();

        @GetMapping("/save")
        Mono<String> save(Authentication login, ServerWebExchange exchange) {
            return sessions.save(exchange, new SecurityContextImpl(login)).thenReturn("saved");
        }
    }

    @RestController
    static final class Keeper {

        private WebSession session;
        private Authentication login;

        @GetMapping("/keep")
        Mono<String> keep(Authentication present, WebSession begun) {
            session = begun;
            login = present;
            session.start();
            return Mono.just("kept");
        }
    }

    /** The sessions stored by the chain, by account. */
    static final class Recording implements ServerSecurityContextRepository {

        private final List<String> names = new CopyOnWriteArrayList<>();
        private final ServerSecurityContextRepository sessions = new WebSessionServerSecurityContextRepository();

        @Override
        public Mono<Void> save(ServerWebExchange exchange, SecurityContext context) {
            names.add(context.getAuthentication().getName());
            return sessions.save(exchange, context);
        }

        @Override
        public Mono<SecurityContext> load(ServerWebExchange exchange) {
            return sessions.load(exchange);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey, Recording stored) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .securityContextRepository(stored)
                    .formLogin(withDefaults())
                    .sessionManagement(sessions ->
                            sessions.concurrentSessions(concurrent -> concurrent.maximumSessions(SessionLimit.of(1))))
                    .build();
        }
    }
}
