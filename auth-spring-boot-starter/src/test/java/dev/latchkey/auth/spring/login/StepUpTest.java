package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.access.RecentProof;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A fresh proof of a login, and rules about fresh proofs, on both stacks. */
@Tag("long")
class StepUpTest {

    private static final String LOGIN = "/auth/token";
    private static final Duration LIFETIME = Duration.ofMinutes(30);
    private static final String PROVE =
            "401 Bearer realm=\"Realm\", error=\"insufficient_user_authentication\", max_age=\"300\"";

    private Instant now = Instant.parse("2026-11-24T10:00:00Z");
    private final StepPlugin codes = new StepPlugin();
    private final String[] settings = {"latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true"};

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Rules.class)
            .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
            .withPropertyValues(settings);

    @Test
    void tokenOfAFreshProof_isGoodForTheRule_untilTheProofIsOld() {
        service.run(context -> {
            String login = login(context);
            String proved = prove(context, login, "alice", Services.PASSWORD, Map.of());
            for (String path : new String[] {"/payments", "/payments-method"}) {
                assertThat(ask(context, path, login)).isEqualTo(PROVE);
                assertThat(ask(context, path, proved)).startsWith("200");
            }
            assertThat(ask(context, "/hello", proved)).startsWith("200");
            now = now.plusSeconds(299);
            assertThat(ask(context, "/payments", proved)).startsWith("200");
            now = now.plusSeconds(1);
            assertThat(ask(context, "/payments", proved)).isEqualTo(PROVE);
            assertThat(ask(context, "/payments-method", proved)).isEqualTo(PROVE);
        });
    }

    @Test
    void proofThatIsWrong_orOfAnotherAccount_orOfNoLogin_issuesNothing() {
        service.run(context -> {
            String login = login(context);
            assertThat(prove(context, login, "alice", "wrong", Map.of())).isEmpty();
            assertThat(prove(context, login + "x", "alice", Services.PASSWORD, Map.of()))
                    .isEmpty();
            String ofBob = context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("bob", LIFETIME));
            assertThat(prove(context, ofBob, "alice", Services.PASSWORD, Map.of()))
                    .isEmpty();
            context.getBean(TokenRevocation.class).revoke(login);
            assertThat(prove(context, login, "alice", Services.PASSWORD, Map.of()))
                    .isEmpty();
        });
    }

    /** The cache of a directory's plugin knows the former password for some minutes. */
    @Test
    void formerPasswordThatACacheStillKnows_provesNothing() {
        service.withBean("directory", AuthPlugin.class, CachedDirectory::new)
                .withPropertyValues("latchkey.plugins=directory,jwt")
                .run(context -> assertThat(prove(context, login(context), "alice", Services.PASSWORD, Map.of()))
                        .isEmpty());
    }

    private static final class CachedDirectory implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return Authenticated.as(Subject.of(given.username())).withStamp(Secret.of("of the former password"));
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return Optional.of(Authenticated.as(Subject.of(subjectId)).withStamp(Secret.of("of the password")));
        }
    }

    @Test
    void endOfTheLogin_endsItsProof_withAndWithoutRefreshTokens() {
        for (String refresh : new String[] {"false", "true"}) {
            service.withPropertyValues("latchkey.login.refresh.enabled=" + refresh)
                    .run(context -> {
                        String login = login(context);
                        String proved = prove(context, login, "alice", Services.PASSWORD, Map.of());
                        assertThat(ask(context, "/payments", proved)).startsWith("200");
                        context.getBean(TokenRevocation.class).revoke(login);
                        assertThat(ask(context, "/payments", proved))
                                .startsWith("401 ")
                                .contains("invalid_token");

                        String other = login(context);
                        String ofOther = prove(context, other, "alice", Services.PASSWORD, Map.of());
                        context.getBean(AuthChain.class).revokeAll("alice", now);
                        assertThat(ask(context, "/payments", ofOther)).contains("invalid_token");
                        now = now.plusSeconds(5);
                    });
        }
    }

    @Test
    void proof_endsNoLaterThanTheTokenOfTheLogin() {
        service.withPropertyValues("latchkey.jwt.lifetime=1h").run(context -> {
            String login = login(context);
            now = now.plus(Duration.ofMinutes(58));
            String proved = prove(context, login, "alice", Services.PASSWORD, Map.of());
            assertThat(ask(context, "/payments", proved)).startsWith("200");
            now = now.plus(Duration.ofMinutes(2));
            assertThat(ask(context, "/hello", proved)).contains("invalid_token");
        });
    }

    @Test
    void tokenOfAClient_keepsTheClient() {
        service.run(context -> {
            String login = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", LIFETIME)
                            .withIssuedAt(now)
                            .with("client_id", "shop"));
            String proved = prove(context, login, "alice", Services.PASSWORD, Map.of());
            JwtVerifier verifier = context.getBean(JwtVerifier.class);
            assertThat(verifier.verifyOrThrow(proved).text("client_id")).hasValue("shop");
            String other = prove(context, login(context), "alice", Services.PASSWORD, Map.of());
            assertThat(verifier.verifyOrThrow(other).text("client_id")).isEmpty();
        });
    }

    @Test
    void secondStep_isAPartOfTheProof_andARuleCanAskForIt() {
        service.withBean("codes", AuthPlugin.class, () -> codes).run(context -> {
            String login = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", LIFETIME).withIssuedAt(now));
            assertThat(prove(context, login, "alice", Services.PASSWORD, Map.of()))
                    .isEmpty();
            assertThat(prove(context, login, "alice", Services.PASSWORD, Map.of("code", Secret.of("000000"))))
                    .isEmpty();
            String proved =
                    prove(context, login, "alice", Services.PASSWORD, Map.of("code", Secret.of(StepPlugin.CODE)));
            assertThat(ask(context, "/by-code", proved)).startsWith("200");
        });
        service.run(context -> {
            String byPassword = prove(context, login(context), "alice", Services.PASSWORD, Map.of());
            assertThat(ask(context, "/payments", byPassword)).startsWith("200");
            assertThat(ask(context, "/by-code", byPassword)).isEqualTo(PROVE);
        });
    }

    @Test
    void keyOfAPlugin_isNoProof() {
        service.withBean("key", AuthPlugin.class, RevocableKey::new).run(context -> {
            assertThat(answer(context, get("/hello").header("X-Key", "good"))).startsWith("200");
            assertThat(answer(context, get("/payments").header("X-Key", "good")))
                    .isEqualTo(PROVE);
        });
    }

    @Test
    void webFlux_hasTheSameRules() {
        reactive().run(context -> {
            String login = context.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", LIFETIME).withId("1"));
            String proved = prove(context, login, "alice", Services.PASSWORD, Map.of());
            for (String path : new String[] {"/payments", "/payments-method"}) {
                assertThat(askReactive(context, path, login)).isEqualTo(PROVE);
                assertThat(askReactive(context, path, proved)).startsWith("200");
            }
            now = now.plusSeconds(300);
            assertThat(askReactive(context, "/payments", proved)).isEqualTo(PROVE);
            assertThat(askReactive(context, "/forbidden", proved)).startsWith("403");
        });
    }

    private ReactiveWebApplicationContextRunner reactive() {
        return ReactiveServices.web()
                .withUserConfiguration(ReactiveRules.class)
                .withBean("latchkeyClock", InstantSource.class, () -> () -> now)
                .withPropertyValues(settings)
                .withPropertyValues(
                        "spring.security.user.name=alice", "spring.security.user.password={noop}" + Services.PASSWORD);
    }

    private static String login(ApplicationContext context) throws Exception {
        return Services.tokenFrom(Services.mvc(context)
                .perform(post(LOGIN).contentType("application/json").content(Services.LOGIN)));
    }

    private static String prove(
            ApplicationContext context, String token, String name, String password, Map<String, Secret> responses) {
        return context.getBean(StepUp.class)
                .prove(
                        token,
                        new PasswordCredentials(name, Secret.of(password)),
                        responses,
                        RequestContext.none(),
                        LIFETIME)
                .map(AccessToken::value)
                .orElse("");
    }

    private static String ask(ApplicationContext context, String path, String token) throws Exception {
        return answer(context, get(path).header("Authorization", "Bearer " + token));
    }

    private static String answer(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        MockHttpServletResponse response =
                Services.mvc(context).perform(request).andReturn().getResponse();
        return response.getStatus() + " " + response.getHeader("WWW-Authenticate");
    }

    private static String askReactive(ApplicationContext context, String path, String token) {
        var answer = ReactiveServices.client(context)
                .get()
                .uri(path)
                .header("Authorization", "Bearer " + token)
                .exchange()
                .returnResult(Void.class);
        return answer.getStatus().value() + " " + answer.getResponseHeaders().getFirst("WWW-Authenticate");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Rules {

        @Bean
        SecurityFilterChain chain(HttpSecurity http, RecentProof proof) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/payments")
                            .access(proof.within(Duration.ofMinutes(5)))
                            .requestMatchers("/by-code")
                            .access(proof.within(Duration.ofMinutes(5), "otp"))
                            .anyRequest()
                            .authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        Payments payments() {
            return new Payments();
        }
    }

    @RestController
    static class Payments {

        @GetMapping({"/payments", "/by-code"})
        String pay() {
            return "paid";
        }

        @GetMapping("/payments-method")
        @PreAuthorize("@latchkeyRecentProof.within(authentication, '5m')")
        public String payByMethod() {
            return "paid";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveMethodSecurity
    static class ReactiveRules {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http, LatchkeyWebFlux latchkey, RecentProof proof) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/payments")
                            .access(proof.onWebFlux(Duration.ofMinutes(5)))
                            .pathMatchers("/forbidden")
                            .denyAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }

        @Bean
        ReactivePayments payments() {
            return new ReactivePayments();
        }
    }

    @RestController
    static class ReactivePayments {

        @GetMapping("/payments")
        Mono<String> pay() {
            return Mono.just("paid");
        }

        @GetMapping("/payments-method")
        @PreAuthorize("@latchkeyRecentProof.within(authentication, '5m')")
        public Mono<String> payByMethod() {
            return Mono.just("paid");
        }
    }
}
