package dev.latchkey.auth.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.LoginCookies;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Tokens and plugins in WebFlux services, asked over their whole filter chain. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class LatchkeyWebFluxTest {

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withPropertyValues(
                    "spring.security.user.name=alice",
                    "spring.security.user.password={noop}" + Services.PASSWORD,
                    "latchkey.jwt.secret=" + Services.KEY);

    @Test
    void serviceWithoutAChain_takesTokensUntilTheyAreRevoked() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            String token = signed(context);
            assertThat(hello(client, token)).isEqualTo("200 Hello alice");
            assertThat(hello(client, token + "x")).startsWith("401 Bearer ").contains("error=\"invalid_token\"");
            context.getBean(AuthChain.class).revoke(BearerToken.of(token));
            assertThat(hello(client, token)).startsWith("401 ");
        });
    }

    @Test
    void requestWithAToken_cannotBeForgedAndOneWithoutCan() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            client.post()
                    .uri("/hello")
                    .header("Authorization", "Bearer " + signed(context))
                    .exchange()
                    .expectStatus()
                    .isEqualTo(405);
            client.post().uri("/hello").exchange().expectStatus().isForbidden();
        });
    }

    @Test
    void pluginThatFails_is500AndPassesNothing() {
        service.withBean("broken", AuthPlugin.class, BrokenPlugin::new).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            assertThat(hello(client, "anything")).startsWith("500 ");
        });
    }

    @Test
    void pluginThatMayWait_isNotAskedOnTheCallersThread() {
        AskedPlugin asked = new AskedPlugin();
        service.withBean("asked", AuthPlugin.class, () -> asked).run(context -> {
            assertThat(hello(ReactiveServices.client(context), "anything")).isEqualTo("200 Hello somebody");
            assertThat(asked.thread).startsWith("latchkey-wait");
        });
    }

    @Test
    void ownChainThatSaysNothing_isLeftAlone() {
        service.withUserConfiguration(BasicOnly.class)
                .run(context -> assertThat(hello(ReactiveServices.client(context), signed(context)))
                        .isEqualTo("401 Basic realm=\"Realm\""));
    }

    @Test
    void loginThatNoChainHas_isOneWarning_withTheLineToWrite(CapturedOutput log) {
        ReactiveWebApplicationContextRunner login = service.withPropertyValues("latchkey.login.enabled=true");
        login.run(context -> assertThat(context).hasNotFailed());
        assertThat(log).doesNotContain("no filter chain has the login endpoints");
        login.withUserConfiguration(BasicOnly.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getAll().split("no filter chain has the login endpoints", -1))
                .hasSize(2);
        assertThat(log).contains("latchkey.addTo(http)");
    }

    @Test
    void defaultChain_keepsItsOtherWaysIn() {
        service.run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            client.get()
                    .uri("/hello")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .valueEquals("WWW-Authenticate", "Basic realm=\"Realm\"", "Bearer realm=\"Realm\"");
            client.get()
                    .uri("/hello")
                    .header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
                    .exchange()
                    .expectStatus()
                    .isOk();
            // Not by a token, so it may be forged.
            client.post().uri("/hello").exchange().expectStatus().isForbidden();
        });
    }

    @Test
    void ownChain_takesTokensWhereItSaysSo() {
        service.withUserConfiguration(TokensOnly.class).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            assertThat(hello(client, signed(context))).isEqualTo("200 Hello alice");
            client.get()
                    .uri("/hello")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .valueMatches("WWW-Authenticate", "Bearer.*");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {WithoutBasic.class, CookiesWithoutBasic.class})
    void chainWithoutBasic_doesNotAskForBasic(Class<?> chain) {
        service.withUserConfiguration(chain)
                .run(context -> ReactiveServices.client(context)
                        .get()
                        .uri("/hello")
                        .exchange()
                        .expectStatus()
                        .isUnauthorized()
                        .expectHeader()
                        .valueEquals("WWW-Authenticate", "Bearer realm=\"Realm\""));
    }

    @Test
    void chainWithoutBasic_doesNotAskForBasic_forABadTokenInACookie() {
        service.withUserConfiguration(CookiesWithoutBasic.class)
                .run(context -> ReactiveServices.client(context)
                        .get()
                        .uri("/hello")
                        .cookie("__Host-shop", "bad")
                        .exchange()
                        .expectStatus()
                        .isUnauthorized()
                        .expectHeader()
                        .valueEquals("WWW-Authenticate", "Bearer realm=\"Realm\""));
    }

    @Test
    void chainWithAnotherLogin_keepsItsWayToAsk() {
        service.withUserConfiguration(Forms.class).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            client.get().uri("/hello").exchange().expectStatus().isFound();
            assertThat(hello(client, signed(context))).isEqualTo("200 Hello alice");
        });
        service.withUserConfiguration(OwnBasic.class).run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            client.get()
                    .uri("/hello")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .valueEquals("WWW-Authenticate", "Basic realm=\"Realm\"", "Bearer realm=\"Realm\"");
            client.get()
                    .uri("/hello")
                    .header("Authorization", ReactiveServices.basic("alice", Services.PASSWORD))
                    .exchange()
                    .expectStatus()
                    .isOk();
        });
    }

    private static String signed(ApplicationContext context) {
        return context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(5)));
    }

    /** The status, and the body or the challenge. */
    private static String hello(WebTestClient client, String token) {
        var answer = client.get()
                .uri("/hello")
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectBody(String.class)
                .returnResult();
        String challenge = answer.getResponseHeaders().getFirst("WWW-Authenticate");
        return answer.getStatus().value() + " " + (challenge == null ? answer.getResponseBody() : challenge);
    }

    @Configuration(proxyBeanMethods = false)
    static class TokensOnly {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .exceptionHandling(handling -> handling.authenticationEntryPoint(latchkey.challenge()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutBasic {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class CookiesWithoutBasic {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http, LoginCookies.named("shop"))
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Forms {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .formLogin(withDefaults())
                    .build();
        }
    }

    /** HTTP Basic by a filter of the service, which leaves the challenge to Spring Security. */
    @Configuration(proxyBeanMethods = false)
    static class OwnBasic {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .addFilterAt(
                            new AuthenticationWebFilter(latchkey.passwords()), SecurityWebFiltersOrder.AUTHENTICATION)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BasicOnly {

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    private static final class BrokenPlugin implements LoginSource<Credentials> {

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Class<Credentials> kind() {

            return Credentials.class;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            throw new IllegalStateException("A defect");
        }
    }

    private static final class AskedPlugin implements LoginSource<BearerToken> {

        private volatile String thread = "";

        @Override
        public String name() {
            return "asked";
        }

        @Override
        public Class<BearerToken> kind() {

            return BearerToken.class;
        }

        @Override
        public Decision authenticate(BearerToken credentials, RequestContext context) {
            thread = Thread.currentThread().getName();
            return Authenticated.as(Subject.of("somebody"));
        }
    }
}
