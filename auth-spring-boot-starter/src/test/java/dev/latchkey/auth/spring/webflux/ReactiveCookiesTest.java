package dev.latchkey.auth.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.LoginCookies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.reactive.InMemoryReactiveOneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;

/** A page that has its tokens in cookies, on WebFlux. */
class ReactiveCookiesTest {

    private static final String ACCESS = "__Host-shop";
    private static final String REFRESH = "__Host-shop-refresh";
    private static final String CSRF = "9f1c1c1e-5d5b-4a51-8a4f-0a3a3c0f2a10";

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withBean(PasswordEncoder.class, Services::cheapEncoder)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true");

    @Test
    void login_refresh_andLogout_areCarriedByCookies() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            assertThat(page.post("/auth/token", Services.LOGIN, true)).isEqualTo("200 {\"expires_in\":3600}");
            assertThat(page.hello()).isEqualTo("200 Hello alice");
            Map<String, String> first = Map.copyOf(page.jar);
            assertThat(page.post("/auth/token", "{}", true)).isEqualTo("200 {\"expires_in\":3600}");
            assertThat(page.jar).doesNotContainValue(first.get(ACCESS)).doesNotContainValue(first.get(REFRESH));
            assertThat(page.hello()).isEqualTo("200 Hello alice");
            Map<String, String> last = Map.copyOf(page.jar);
            assertThat(page.post("/auth/logout", "", true)).startsWith("204");
            assertThat(page.jar).isEmpty();
            page.jar.putAll(last);
            assertThat(page.hello()).startsWith("401");
        });
    }

    @Test
    void forgedRequests_areRefused() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            assertThat(page.post("/auth/token", Services.LOGIN, false)).startsWith("403");
            assertThat(page.jar).isEmpty();
            page.post("/auth/token", Services.LOGIN, true);
            assertThat(page.post("/auth/logout", "", false)).startsWith("403");
            assertThat(page.post("/hello", "", false)).startsWith("403");
            assertThat(page.hello()).isEqualTo("200 Hello alice");
        });
    }

    /** The field may have any value. */
    @Test
    void tokenInAField_provesNothingBesideTheCookies() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            page.post("/auth/token", Services.LOGIN, true);
            assertThat(page.send(
                                    page.client
                                            .method(HttpMethod.POST)
                                            .uri("/auth/logout")
                                            .header("Latchkey-Carrier", "cookie")
                                            .header("Authorization", "Bearer x"),
                                    false)
                            .getStatus()
                            .value())
                    .isEqualTo(403);
            assertThat(page.hello()).isEqualTo("200 Hello alice");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "x", ""})
    void keyOfAPlugin_provesNothingBesideTheCookies(String key) {
        service.withUserConfiguration(Accounts.class, Shop.class)
                .withBean(RevocableKey.class)
                .run(context -> {
                    Page page = new Page(ReactiveServices.client(context));
                    page.post("/auth/token", Services.LOGIN, true);
                    Map<String, String> carried = Map.copyOf(page.jar);
                    assertThat(page.withKey("/auth/logout", key, false)).isEqualTo(403);
                    assertThat(page.withKey("/auth/token", key, false)).isEqualTo(403);
                    assertThat(page.withKey("/hello", key, false)).isEqualTo(403);
                    assertThat(page.withKey("/auth/logout", key, true)).isEqualTo(204);
                    assertThat(page.jar).isEqualTo(carried);
                    assertThat(page.hello()).isEqualTo("200 Hello alice");
                    page.jar.clear();
                    // No route of the service takes a POST, and a logout by a key needs no CSRF token.
                    assertThat(page.withKey("/auth/logout", key, false)).isEqualTo(204);
                });
    }

    @Test
    void requestThatDoesNotAsk_hasItsTokensInTheBody() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            String body = ReactiveServices.client(context)
                    .post()
                    .uri("/auth/token")
                    .header("Content-Type", "application/json")
                    .bodyValue(Services.LOGIN)
                    .exchange()
                    .expectHeader()
                    .doesNotExist("Set-Cookie")
                    .expectBody(String.class)
                    .returnResult()
                    .getResponseBody();
            assertThat(body).contains("\"access_token\"", "\"refresh_token\"");
        });
    }

    @Test
    void invalidCookie_leavesPublicPagesAlone() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            page.jar.put(ACCESS, "a.b.c");
            assertThat(page.get("/open")).startsWith("404");
            assertThat(page.hello()).startsWith("401");
        });
    }

    @Test
    void oneTimeToken_issuesCookies_andLeadsToTheLandingPage() {
        service.withUserConfiguration(Accounts.class, Shop.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            String one = context.getBean(ReactiveOneTimeTokenService.class)
                    .generate(new GenerateOneTimeTokenRequest("alice"))
                    .block()
                    .getTokenValue();
            EntityExchangeResult<String> login = page.send(
                    page.client
                            .method(HttpMethod.POST)
                            .uri("/login/ott")
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .bodyValue("token=" + one),
                    true);
            assertThat(login.getStatus().value()).isEqualTo(303);
            assertThat(login.getResponseHeaders().getFirst("Location")).isEqualTo("/app");
            assertThat(page.hello()).isEqualTo("200 Hello alice");
        });
    }

    @Test
    void chainWithoutCsrf_takesNoCookies() {
        service.withUserConfiguration(Accounts.class, WithoutCsrf.class).run(context -> {
            Page page = new Page(ReactiveServices.client(context));
            assertThat(page.post("/auth/token", Services.LOGIN, true)).startsWith("500");
            assertThat(page.jar).isEmpty();
            page.jar.put(ACCESS, "a.b.c");
            assertThat(page.hello()).startsWith("500");
        });
    }

    /** A browser at the service's own page, with a jar of the login's cookies. */
    private static final class Page {

        private final WebTestClient client;
        private final Map<String, String> jar = new HashMap<>();

        Page(WebTestClient client) {
            this.client = client;
        }

        String hello() {
            return get("/hello");
        }

        String get(String path) {
            return described(send(client.method(HttpMethod.GET).uri(path), false));
        }

        String post(String path, String json, boolean hasCsrfToken) {
            return described(send(
                    client.method(HttpMethod.POST)
                            .uri(path)
                            .header("Latchkey-Carrier", "cookie")
                            .header("Content-Type", "application/json")
                            .bodyValue(json),
                    hasCsrfToken));
        }

        int withKey(String path, String key, boolean hasCsrfToken) {
            return send(
                            client.method(HttpMethod.POST)
                                    .uri(path)
                                    .header("Latchkey-Carrier", "cookie")
                                    .header("X-Key", key),
                            hasCsrfToken)
                    .getStatus()
                    .value();
        }

        EntityExchangeResult<String> send(WebTestClient.RequestHeadersSpec<?> request, boolean hasCsrfToken) {
            Map<String, String> sent = new HashMap<>(jar);
            if (hasCsrfToken) {
                sent.put("XSRF-TOKEN", CSRF);
                request.header("X-XSRF-TOKEN", CSRF);
            }
            sent.forEach(request::cookie);
            EntityExchangeResult<String> result =
                    request.exchange().expectBody(String.class).returnResult();
            for (String cookie : result.getResponseHeaders().getOrDefault("Set-Cookie", List.of())) {
                if (cookie.startsWith("__Host-")) {
                    keep(cookie);
                }
            }
            return result;
        }

        private void keep(String cookie) {
            String name = cookie.substring(0, cookie.indexOf('='));
            if (cookie.contains("Max-Age=0;")) {
                jar.remove(name);
            } else {
                jar.put(name, cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';')));
            }
        }

        private static String described(EntityExchangeResult<String> result) {
            return result.getStatus().value() + " " + result.getResponseBody();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        MapReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(User.withUsername("alice")
                    .password(Services.HASH)
                    .authorities("ROLE_USER")
                    .build());
        }

        @Bean
        ReactiveOneTimeTokenService oneTimeTokens() {
            return new InMemoryReactiveOneTimeTokenService();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        SecurityWebFilterChain chain(
                ServerHttpSecurity http, LatchkeyWebFlux latchkey, ReactiveTokensAfterLogin tokens) {
            LoginCookies cookies = LoginCookies.named("shop").withLanding("/app");
            return latchkey.addTo(http, cookies)
                    .csrf(csrf -> csrf.csrfTokenRepository(CookieServerCsrfTokenRepository.withHttpOnlyFalse())
                            .csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()))
                    .oneTimeTokenLogin(login -> login.authenticationSuccessHandler(tokens.inCookies(cookies))
                            .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                            .tokenGenerationSuccessHandler((exchange, token) -> Mono.empty()))
                    .exceptionHandling(handling -> handling.authenticationEntryPoint(latchkey.challenge()))
                    .authorizeExchange(rules -> rules.pathMatchers("/open")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutCsrf {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http, LoginCookies.named("shop"))
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(Customizer.withDefaults())
                    .authorizeExchange(rules -> rules.anyExchange().authenticated())
                    .build();
        }
    }
}
