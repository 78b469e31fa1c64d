package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.login.StepServicesOfTests;
import dev.latchkey.auth.spring.login.TokenCustomizer;
import dev.latchkey.auth.store.RevocationStore;
import jakarta.servlet.http.Cookie;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** A page with tokens in cookies, beside clients with tokens in a header field. */
@Tag("long")
class CookiesTest {

    private static final String ACCESS = "__Host-shop";
    private static final String REFRESH = "__Host-shop-refresh";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Shop.class)
            .withPropertyValues(
                    "latchkey.jwt.secret=" + Services.KEY,
                    "latchkey.login.enabled=true",
                    "latchkey.login.refresh.enabled=true",
                    "latchkey.login.logins.enabled=true",
                    "latchkey.jwt.max-lifetime=30d");

    @Test
    void login_setsCookies_andTellsNoToken() {
        service.run(context -> {
            Page page = new Page(context);
            MockHttpServletResponse login = page.send(page.asking(post("/auth/token"), Services.LOGIN), true);
            assertThat(login.getStatus()).isEqualTo(200);
            assertThat(login.getContentAsString()).isEqualTo("{\"expires_in\":3600}");
            assertThat(login.getHeaders("Set-Cookie"))
                    .anySatisfy(cookie -> assertThat(cookie)
                            .startsWith(ACCESS + "=ey")
                            .contains("; Path=/", "; Max-Age=3600", "; Secure", "; HttpOnly", "; SameSite=Strict"))
                    .anySatisfy(cookie -> assertThat(cookie)
                            .startsWith(REFRESH + "=")
                            .contains("; Path=/", "; Max-Age=604800", "; Secure", "; HttpOnly", "; SameSite=Strict"));
            assertThat(page.send(get("/hello"), false).getContentAsString()).isEqualTo("Hello alice");
            assertThat(page.session).isFalse();
        });
    }

    @Test
    void forgedRequests_areRefused() {
        service.run(context -> {
            Page page = new Page(context);
            MockHttpServletResponse login = page.send(page.asking(post("/auth/token"), Services.LOGIN), false);
            assertThat(login.getStatus()).isEqualTo(403);
            assertThat(login.getHeaders("Set-Cookie")).noneMatch(cookie -> cookie.startsWith("__Host"));
            page.login();
            assertThat(page.send(post("/change"), false).getStatus()).isEqualTo(403);
            assertThat(page.send(post("/change"), true).getContentAsString()).isEqualTo("changed by alice");
            assertThat(page.send(page.asking(post("/auth/logout"), ""), false).getStatus())
                    .isEqualTo(403);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), false).getStatus())
                    .isEqualTo(403);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(200);
        });
    }

    /** The field may have any value. */
    @Test
    void tokenInAField_provesNothingBesideTheCookies() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            for (MockHttpServletRequestBuilder logout :
                    List.of(post("/logout"), page.asking(post("/auth/logout"), ""))) {
                assertThat(page.send(logout.header("Authorization", "Bearer x"), false)
                                .getStatus())
                        .isEqualTo(403);
            }
            page.send(post("/logout").header("Authorization", "Bearer x"), true);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(200);
        });
    }

    /** The cookies are ignored beside the key, so their tokens go on. */
    @ParameterizedTest
    @ValueSource(strings = {"good", "x", ""})
    void keyOfAPlugin_provesNothingBesideTheCookies(String key) {
        service.withBean(RevocableKey.class).run(context -> {
            Page page = new Page(context);
            page.login();
            Map<String, String> carried = Map.copyOf(page.jar);
            for (String path : List.of("/logout", "/auth/logout", "/auth/token", "/change")) {
                assertThat(page.send(page.asking(post(path).header("X-Key", key), "{}"), false)
                                .getStatus())
                        .as(path)
                        .isEqualTo(403);
            }
            assertThat(page.send(page.asking(post("/auth/logout").header("X-Key", key), ""), true)
                            .getStatus())
                    .isEqualTo(204);
            page.send(post("/logout").header("X-Key", key), true);
            assertThat(page.jar).isEqualTo(carried);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(200);
        });
    }

    @Test
    void keyOfAPlugin_needsNoCsrfToken_whereTheRequestHasNoCookies() {
        service.withBean(RevocableKey.class).run(context -> {
            Page client = new Page(context);
            // The controller misses the field of a token, so the request has come there.
            assertThat(client.send(post("/change").header("X-Key", "good"), false)
                            .getStatus())
                    .isEqualTo(400);
            assertThat(client.send(post("/change").header("X-Key", "x"), false).getStatus())
                    .isEqualTo(401);
        });
    }

    /** A form of another site can be posted to the endpoints, and has no field of its own. */
    @Test
    void requestsThatDoNotAsk_setAndReadNoCookies() {
        service.run(context -> {
            Page page = new Page(context);
            MockHttpServletResponse other = page.send(
                    post("/auth/token")
                            .contentType("application/x-www-form-urlencoded")
                            .content("username=alice&password=" + Services.PASSWORD),
                    true);
            assertThat(other.getContentAsString()).contains("\"access_token\"", "\"refresh_token\"");
            assertThat(other.getHeaders("Set-Cookie")).noneMatch(cookie -> cookie.startsWith("__Host"));
            page.login();
            assertThat(page.send(post("/auth/logout"), true).getStatus()).isEqualTo(401);
            assertThat(page.send(get("/auth/logins"), true).getStatus()).isEqualTo(401);
            assertThat(page.send(
                                    post("/auth/token")
                                            .contentType("application/json")
                                            .content("{}"),
                                    true)
                            .getStatus())
                    .isEqualTo(400);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(200);
        });
    }

    /** As the login by the grant of a plugin: scripts of the page must not read the tokens. */
    @Test
    void loginWithAGrantType_thatAsksForCookies_tellsNoTokenEither() {
        service.withPropertyValues("latchkey.login.password-grant=true").run(context -> {
            Page page = new Page(context);
            for (String fields : List.of(
                    "grant_type=password&username=alice&password=" + Services.PASSWORD, "grant_type=refresh_token")) {
                Map<String, String> before = Map.copyOf(page.jar);
                MockHttpServletResponse answer = page.send(
                        post("/auth/token")
                                .header("Latchkey-Carrier", "cookie")
                                .contentType("application/x-www-form-urlencoded")
                                .content(fields),
                        true);
                assertThat(answer.getContentAsString()).isEqualTo("{\"expires_in\":3600}");
                assertThat(page.jar.get(REFRESH)).isNotNull().isNotEqualTo(before.get(REFRESH));
                assertThat(page.send(get("/hello"), false).getContentAsString()).isEqualTo("Hello alice");
            }
        });
    }

    @Test
    void refresh_replacesBothCookies_andAnOldOneEndsTheSession() {
        service.withPropertyValues("latchkey.login.refresh.race-window=0s").run(context -> {
            Page page = new Page(context);
            page.login();
            String access = page.jar.get(ACCESS);
            String refresh = page.jar.get(REFRESH);
            MockHttpServletResponse refreshed = page.send(page.asking(post("/auth/token"), "{}"), true);
            assertThat(refreshed.getStatus()).isEqualTo(200);
            assertThat(refreshed.getContentAsString()).isEqualTo("{\"expires_in\":3600}");
            assertThat(page.jar.get(ACCESS)).isNotEqualTo(access);
            assertThat(page.jar.get(REFRESH)).isNotEqualTo(refresh);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(200);
            page.jar.put(REFRESH, refresh);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(401);
        });
    }

    @Test
    void refreshWithoutTheCookie_isABadRequest() {
        service.run(context -> {
            Page page = new Page(context);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(400);
        });
    }

    @Test
    void logout_revokesTheTokens_andEndsTheCookies() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            Map<String, String> stolen = Map.copyOf(page.jar);
            assertThat(page.send(page.asking(post("/auth/logout"), ""), true).getStatus())
                    .isEqualTo(204);
            assertThat(page.jar).isEmpty();
            page.jar.putAll(stolen);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(401);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(401);
        });
    }

    /** A page may have the button of Spring Security's own logout. */
    @Test
    void logoutOfSpringSecurity_revokesTheTokens_andEndsTheCookies() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            Map<String, String> stolen = Map.copyOf(page.jar);
            assertThat(page.send(post("/logout"), false).getStatus()).isEqualTo(403);
            assertThat(page.jar).isEqualTo(stolen);
            assertThat(page.send(post("/logout"), true).getStatus()).isEqualTo(204);
            assertThat(page.jar).isEmpty();
            page.jar.putAll(stolen);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(401);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(401);
        });
    }

    @Test
    void logoutOfSpringSecurity_inAnOutage_doesNotSayThatItIsDone() {
        service.withBean(RevocationStore.class, ReadOnly::new).run(context -> {
            Page page = new Page(context);
            page.login();
            assertThat(page.send(post("/logout"), true).getStatus()).isEqualTo(503);
            assertThat(page.jar).isNotEmpty();
        });
    }

    /** The browser drops the access token's cookie when the token expires. */
    @Test
    void logoutWithTheRefreshTokenAlone_endsTheSession() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            page.jar.remove(ACCESS);
            String refresh = page.jar.get(REFRESH);
            assertThat(page.send(page.asking(post("/auth/logout"), ""), true).getStatus())
                    .isEqualTo(204);
            page.jar.put(REFRESH, refresh);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(401);
        });
    }

    /** The session of the header field's token may go on, and the answer does not hide that. */
    @Test
    void logoutBesideATokenThatIsNotAccepted_endsTheLoginOfTheCookies_andIsNotDone() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            Map<String, String> stolen = Map.copyOf(page.jar);
            assertThat(page.send(page.asking(post("/auth/logout").header("Authorization", "Bearer x"), ""), true)
                            .getStatus())
                    .isEqualTo(401);
            assertThat(page.jar).isEmpty();
            page.jar.putAll(stolen);
            assertThat(page.send(page.asking(post("/auth/token"), "{}"), true).getStatus())
                    .isEqualTo(401);
        });
    }

    @Test
    void logoutWithAnAccessTokenThatIsNotAccepted_andTheRefreshToken_isDone() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            page.jar.put(ACCESS, "x");
            assertThat(page.send(page.asking(post("/auth/logout"), ""), true).getStatus())
                    .isEqualTo(204);
            assertThat(page.jar).isEmpty();
        });
    }

    @Test
    void revokedCookie_isNoLogin_andLeavesPublicPagesAlone() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            context.getBean(AuthChain.class).revokeAll("alice", Instant.now().plusSeconds(1));
            assertThat(page.send(get("/open"), false).getContentAsString()).isEqualTo("open to null");
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(401);
            page.jar.put(ACCESS, "not a token");
            assertThat(page.send(get("/open"), false).getContentAsString()).isEqualTo("open to null");
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(401);
        });
    }

    @Test
    void fieldThatTheClientSets_wins() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            assertThat(page.send(get("/hello").header("Authorization", "Bearer x"), false)
                            .getStatus())
                    .isEqualTo(401);
            assertThat(page.send(get("/hello").with(httpBasic("alice", "wrong")), false)
                            .getStatus())
                    .isEqualTo(401);
        });
    }

    @Test
    void loginThatIsTooOld_isToldSo() {
        service.withUserConfiguration(Safe.class).run(context -> {
            Page page = new Page(context);
            page.login();
            MockHttpServletResponse refused = page.send(get("/safe"), false);
            assertThat(refused.getStatus()).isEqualTo(401);
            assertThat(refused.getHeader("WWW-Authenticate")).contains("insufficient_user_authentication");
        });
    }

    @Test
    void listOfSessions_isReadAndEnded_byTheCookie() {
        service.run(context -> {
            Page page = new Page(context);
            page.login();
            String list = page.send(page.asking(get("/auth/logins"), ""), false).getContentAsString();
            Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(list);
            assertThat(id.find()).as(list).isTrue();
            String path = "/auth/logins/" + id.group(1);
            assertThat(page.send(page.asking(delete(path), ""), false).getStatus())
                    .isEqualTo(403);
            assertThat(page.send(page.asking(delete(path), ""), true).getStatus())
                    .isEqualTo(204);
            assertThat(page.send(get("/hello"), false).getStatus()).isEqualTo(401);
        });
    }

    @Test
    void secondStep_endsInCookies() {
        service.withBean("codes", AuthPlugin.class, StepServicesOfTests::step).run(context -> {
            Page page = new Page(context);
            MockHttpServletResponse first = page.send(page.asking(post("/auth/token"), Services.LOGIN), true);
            assertThat(first.getStatus()).isEqualTo(401);
            assertThat(page.jar).isEmpty();
            String continuation =
                    first.getContentAsString().replaceFirst("(?s).*\"continuation\":\"([^\"]+)\".*", "$1");
            page.send(
                    page.asking(
                            post("/auth/token"),
                            "{\"continuation\":\"%s\",\"code\":\"%s\"}"
                                    .formatted(continuation, StepServicesOfTests.CODE)),
                    true);
            assertThat(page.send(get("/hello"), false).getContentAsString()).isEqualTo("Hello alice");
        });
    }

    @Test
    void rememberedLogin_keepsItsCookieAsLong_andTheServicesFieldsStay() {
        service.withBean(
                        TokenCustomizer.class,
                        () -> (login, options) -> options.withLifetime(Duration.ofDays(login.isRemembered() ? 30 : 1))
                                .withAnswer(tokens ->
                                        Map.of("name", tokens.subject().id())))
                .run(context -> {
                    Page page = new Page(context);
                    String remembered = Services.LOGIN.replace("}", ",\"remember_me\":true}");
                    MockHttpServletResponse login = page.send(page.asking(post("/auth/token"), remembered), true);
                    assertThat(login.getContentAsString()).isEqualTo("{\"expires_in\":2592000,\"name\":\"alice\"}");
                    assertThat(login.getHeaders("Set-Cookie"))
                            .anySatisfy(cookie ->
                                    assertThat(cookie).startsWith(ACCESS).contains("; Max-Age=2592000;"));
                });
    }

    @Test
    void landingPage_isBelowTheContextPath() {
        service.run(context -> {
            MockHttpServletResponse login = new Page(context)
                    .send(
                            post("/shop/login")
                                    .contextPath("/shop")
                                    .param("username", "alice")
                                    .param("password", Services.PASSWORD),
                            true);
            assertThat(login.getStatus()).isEqualTo(303);
            assertThat(login.getHeader("Location")).isEqualTo("/shop/app");
        });
    }

    @Test
    void formLogin_issuesCookies_andLeadsToTheLandingPage() {
        service.run(context -> {
            Page page = new Page(context);
            MockHttpServletResponse login =
                    page.send(post("/login").param("username", "alice").param("password", Services.PASSWORD), true);
            assertThat(login.getStatus()).isEqualTo(303);
            assertThat(login.getHeader("Location")).isEqualTo("/app");
            assertThat(login.getContentAsString()).isEmpty();
            assertThat(page.send(get("/hello"), false).getContentAsString()).isEqualTo("Hello alice");
        });
    }

    @Test
    void chainWithoutCsrf_orWithAResourceServer_doesNotStart() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, WithoutCsrf.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("csrf(…) is disabled"));
        Services.web()
                .withUserConfiguration(Services.Accounts.class, WithAResourceServer.class)
                .withBean(JwtDecoder.class, () -> token -> {
                    throw new IllegalStateException();
                })
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("oauth2ResourceServer(…)"));
    }

    /** A browser at the service's own page, with a jar of the login's cookies. */
    private static final class Page {

        private final MockMvc mvc;
        private final Map<String, String> jar = new HashMap<>();
        private boolean session;

        Page(ApplicationContext context) {
            this.mvc = Services.mvc(context);
        }

        void login() throws Exception {
            assertThat(send(asking(post("/auth/token"), Services.LOGIN), true).getStatus())
                    .isEqualTo(200);
        }

        MockHttpServletRequestBuilder asking(MockHttpServletRequestBuilder request, String json) {
            return request.header("Latchkey-Carrier", "cookie")
                    .contentType("application/json")
                    .content(json);
        }

        MockHttpServletResponse send(MockHttpServletRequestBuilder request, boolean hasCsrfToken) throws Exception {
            jar.forEach((name, value) -> request.cookie(new Cookie(name, value)));
            if (hasCsrfToken) {
                request.with(csrf().asHeader());
            }
            var result = mvc.perform(request).andReturn();
            session |= result.getRequest().getSession(false) != null;
            for (String cookie : result.getResponse().getHeaders("Set-Cookie")) {
                if (cookie.startsWith("__Host-")) {
                    keep(cookie);
                }
            }
            return result.getResponse();
        }

        private void keep(String cookie) {
            String name = cookie.substring(0, cookie.indexOf('='));
            if (cookie.contains("Max-Age=0;")) {
                jar.remove(name);
            } else {
                jar.put(name, cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';')));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(rules -> rules.requestMatchers("/open")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .csrf(csrf -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse()))
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .with(
                            latchkey(),
                            latchkey -> latchkey.cookies(
                                            LoginCookies.named("shop").withLanding("/app"))
                                    .issueAfter())
                    .build();
        }

        @Bean
        Changes changes() {
            return new Changes();
        }
    }

    /** A store that can be read only. */
    private static final class ReadOnly implements RevocationStore {

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            throw AuthUnavailableException.outage("read only");
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            throw AuthUnavailableException.outage("read only");
        }

        @Override
        public Instant notBefore(String subjectId) {
            return Instant.EPOCH;
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return false;
        }
    }

    @RestController
    static class Changes {

        @PostMapping("/change")
        String change(Authentication login, @RequestHeader("Authorization") String bearer) {
            return bearer.startsWith("Bearer ey") ? "changed by " + login.getName() : "no token";
        }

        @GetMapping("/open")
        String open(Authentication login) {
            return "open to " + (login == null ? null : login.getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    @RestController
    static class Safe {

        @GetMapping("/safe")
        @PreAuthorize("@latchkeyRecentProof.within(authentication, '0s')")
        public String safe() {
            return "safe";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutCsrf {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .with(latchkey(), latchkey -> latchkey.cookies(LoginCookies.named("shop")))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAResourceServer {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.oauth2ResourceServer(server -> server.jwt(withDefaults()))
                    .with(latchkey(), latchkey -> latchkey.cookies(LoginCookies.named("shop")))
                    .build();
        }
    }
}
