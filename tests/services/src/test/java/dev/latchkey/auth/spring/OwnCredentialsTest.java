package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.webflux.LatchkeyWebFlux;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.context.WebApplicationContext;

/**
 * A plugin's own credentials: beside other credentials, at the logout, and in the challenge of a refusal; the same on
 * servlets and on WebFlux.
 */
class OwnCredentialsTest {

    private static final String[] TOKENS = {"latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true"};

    private final WebApplicationContextRunner servlet = Services.web()
            .withUserConfiguration(Services.Accounts.class, Chain.class)
            .withBean("keys", AuthPlugin.class, KeyPlugin::new);
    private final ReactiveWebApplicationContextRunner webFlux = ReactiveServices.web()
            .withUserConfiguration(ReactiveChain.class)
            .withBean(ReactiveServices.Hello.class)
            .withBean("keys", AuthPlugin.class, KeyPlugin::new)
            .withPropertyValues(
                    "spring.security.user.name=alice", "spring.security.user.password={noop}" + Services.PASSWORD);

    @Test
    void severalCredentials_areRefused_whicheverIsGood() {
        servlet.withPropertyValues(TOKENS).run(OwnCredentialsTest::assertSeveralAreRefused);
        webFlux.withPropertyValues(TOKENS).run(OwnCredentialsTest::assertSeveralAreRefused);
    }

    @Test
    void tokensOfNacosAndOfTheStandard_mayBeTheSameAndNoOthers() {
        servlet.withPropertyValues(TOKENS)
                .withPropertyValues("latchkey.login.response=nacos")
                .run(OwnCredentialsTest::assertTwoTokens);
        webFlux.withPropertyValues(TOKENS)
                .withPropertyValues("latchkey.login.response=nacos")
                .run(OwnCredentialsTest::assertTwoTokens);
    }

    @Test
    void keysThatTwoPluginsRead_areRefused_andOneThatBothReadIsNot() {
        AuthPlugin other = new OtherKeys();
        AuthPlugin same = new KeyPlugin("more-keys", "X-Key", Optional.empty());
        servlet.withBean("other", AuthPlugin.class, () -> other)
                .withBean("same", AuthPlugin.class, () -> same)
                .run(OwnCredentialsTest::assertTwoKeys);
        webFlux.withBean("other", AuthPlugin.class, () -> other)
                .withBean("same", AuthPlugin.class, () -> same)
                .run(OwnCredentialsTest::assertTwoKeys);
    }

    @Test
    void keysThatComeAsBearerTokens_areThePluginsThatReadsThem_andOtherTokensAreNot() {
        servlet.withBean("bearer", AuthPlugin.class, BearerKeys::new)
                .withPropertyValues(TOKENS)
                .run(OwnCredentialsTest::assertBearerKeys);
        webFlux.withBean("bearer", AuthPlugin.class, BearerKeys::new)
                .withPropertyValues(TOKENS)
                .run(OwnCredentialsTest::assertBearerKeys);
    }

    @Test
    void logoutWithAKey_revokesIt_andAnswersAsForTokens() {
        servlet.withPropertyValues(TOKENS).run(OwnCredentialsTest::assertLogout);
        webFlux.withPropertyValues(TOKENS).run(OwnCredentialsTest::assertLogout);
    }

    @Test
    void challenge_namesWhatThePluginsTake() {
        servlet.run(context -> assertChallenge(context, "Key realm=\"orders\""));
        webFlux.run(context -> assertChallenge(context, "Key realm=\"orders\""));
        servlet.withPropertyValues(TOKENS)
                .run(context -> assertChallenge(context, "Bearer realm=\"Realm\", Key realm=\"orders\""));
        webFlux.withPropertyValues(TOKENS)
                .run(context -> assertChallenge(context, "Bearer realm=\"Realm\", Key realm=\"orders\""));
    }

    @Test
    void challengeThatIsNoFieldValue_isLeftOut() {
        AuthPlugin splitting = new KeyPlugin("splitting", "X-Other", Optional.of("Key\r\nSet-Cookie: a=b"));
        servlet.withBean("splitting", AuthPlugin.class, () -> splitting)
                .run(context -> assertChallenge(context, "Key realm=\"orders\""));
    }

    private static void assertSeveralAreRefused(ApplicationContext context) {
        String bearer = "Bearer " + token(context);
        String basic = basic("alice", Services.PASSWORD);
        assertThat(get(context, "X-Key", "good")).isEqualTo("200 Hello robot");
        assertThat(get(context, "Authorization", bearer)).isEqualTo("200 Hello alice");
        assertThat(get(context, "Authorization", basic)).isEqualTo("200 Hello alice");
        assertThat(get(context, "Authorization", bearer, "X-Key", "good")).startsWith("400 ");
        assertThat(get(context, "Authorization", bearer, "X-Key", "bad")).startsWith("400 ");
        assertThat(get(context, "Authorization", "Bearer bad", "X-Key", "good")).startsWith("400 ");
        assertThat(get(context, "Authorization", basic, "X-Key", "good")).startsWith("400 ");
        assertThat(get(context, "Authorization", basic, "Authorization", bearer))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", bearer, "Authorization", basic))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", basic, "Authorization", "Basic eDp5"))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", "Digest x", "X-Key", "good")).isEqualTo("200 Hello robot");
        // Spring Security's filter on servlets reads a name and a password from all that begins with the scheme.
        assertThat(get(context, "Authorization", basic.replace(' ', '\t'), "X-Key", "good"))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", basic.replace(' ', 'X'), "X-Key", "good"))
                .startsWith("400 ");
    }

    private static void assertTwoTokens(ApplicationContext context) {
        String token = token(context);
        assertThat(get(context, "Authorization", "Bearer " + token, "accessToken", token))
                .isEqualTo("200 Hello alice");
        assertThat(get(context, "Authorization", "Bearer " + token, "accessToken", token + "x"))
                .startsWith("400 ");
        assertThat(get(context, "accessToken", token, "X-Key", "good")).startsWith("400 ");
        assertThat(get(context, "accessToken", token, "Authorization", basic("alice", Services.PASSWORD)))
                .startsWith("400 ");
        assertThat(get(context, "accessToken", token, "accessToken", "bad", "X-Key", "good"))
                .startsWith("400 ");
        assertThat(get(context, "accessToken", token, "accessToken", token)).startsWith("400 ");
        assertThat(get(
                        context,
                        "accessToken",
                        token,
                        "accessToken",
                        token,
                        "Authorization",
                        basic("alice", Services.PASSWORD)))
                .startsWith("400 ");
    }

    private static void assertTwoKeys(ApplicationContext context) {
        assertThat(get(context, "X-Key", "good")).isEqualTo("200 Hello robot");
        assertThat(get(context, "X-Key", "good", "X-Other", "x")).startsWith("400 ");
    }

    private static void assertBearerKeys(ApplicationContext context) {
        assertThat(get(context, "Authorization", "Bearer key-good")).isEqualTo("200 Hello robot");
        assertThat(get(context, "Authorization", "Bearer " + token(context))).isEqualTo("200 Hello alice");
        assertThat(get(context, "Authorization", "Bearer key-bad")).startsWith("401 ");
        assertThat(get(context, "Authorization", "Bearer key-good", "X-Bearer-Key", "good"))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", "Bearer key-good", "X-Key", "good"))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", "Bearer " + token(context), "X-Bearer-Key", "good"))
                .startsWith("400 ");
        assertThat(get(context, "Authorization", basic("alice", Services.PASSWORD), "X-Bearer-Key", "good"))
                .startsWith("400 ");
        assertThat(ask(context, HttpMethod.POST, "/auth/logout", "Authorization", "Bearer key-good")
                        .status())
                .isEqualTo(204);
        assertThat(get(context, "Authorization", "Bearer key-good")).startsWith("401 ");
    }

    private static void assertLogout(ApplicationContext context) {
        assertThat(ask(context, HttpMethod.POST, "/auth/logout").status()).isEqualTo(401);
        assertThat(ask(context, HttpMethod.POST, "/auth/logout", "X-Key", "bad").status())
                .isEqualTo(204);
        assertThat(ask(
                                context,
                                HttpMethod.POST,
                                "/auth/logout",
                                "X-Key",
                                "good",
                                "Authorization",
                                "Bearer " + token(context))
                        .status())
                .isEqualTo(400);
        assertThat(get(context, "X-Key", "good")).isEqualTo("200 Hello robot");
        Reply done = ask(context, HttpMethod.POST, "/auth/logout", "X-Key", "good");
        assertThat(done.status()).isEqualTo(204);
        assertThat(done.headers().getFirst("Cache-Control")).contains("no-store");
        assertThat(get(context, "X-Key", "good")).startsWith("401 ");
    }

    private static void assertChallenge(ApplicationContext context, String expected) {
        assertThat(ask(context, HttpMethod.GET, "/asked", "X-Key", "bad")
                        .headers()
                        .get("WWW-Authenticate"))
                .containsExactly(expected);
        assertThat(ask(context, HttpMethod.GET, "/asked/nothing").headers().get("WWW-Authenticate"))
                .containsExactly(expected);
    }

    private static String token(ApplicationContext context) {
        return context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
    }

    private static String get(ApplicationContext context, String... fields) {
        Reply reply = ask(context, HttpMethod.GET, "/hello", fields);
        return reply.status() + " " + reply.body();
    }

    private record Reply(int status, HttpHeaders headers, String body) {}

    /** @param fields names and values in turn */
    private static Reply ask(ApplicationContext context, HttpMethod method, String path, String... fields) {
        HttpHeaders headers = new HttpHeaders();
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        try {
            return context instanceof WebApplicationContext
                    ? askServlet(context, method, path, headers)
                    : askWebFlux(context, method, path, headers);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Reply askServlet(ApplicationContext context, HttpMethod method, String path, HttpHeaders headers)
            throws Exception {
        MockHttpServletResponse response = Services.mvc(context)
                .perform(request(method, path).headers(headers))
                .andReturn()
                .getResponse();
        HttpHeaders answered = new HttpHeaders();
        response.getHeaderNames()
                .forEach(name -> response.getHeaders(name).forEach(value -> answered.add(name, value)));
        return new Reply(response.getStatus(), answered, response.getContentAsString());
    }

    private static Reply askWebFlux(ApplicationContext context, HttpMethod method, String path, HttpHeaders headers) {
        var answer = ReactiveServices.client(context)
                .method(method)
                .uri(path)
                .headers(all -> all.addAll(headers))
                .exchange()
                .expectBody(String.class)
                .returnResult();
        return new Reply(answer.getStatus().value(), answer.getResponseHeaders(), answer.getResponseBody());
    }

    /** Keys in a field of their own, or as bearer tokens that begin with {@code key-}. */
    private static final class BearerKeys
            implements LoginSource<BearerKeys.Key>, CredentialsReader, CredentialsRevoker {

        record Key(String text) implements IssuedCredentials {}

        private final AtomicBoolean isRevoked = new AtomicBoolean();

        @Override
        public String name() {
            return "bearer-keys";
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Decision authenticate(BearerKeys.Key credentials, RequestContext context) {
            return credentials.text().equals("good") && !isRevoked.get()
                    ? Authenticated.as(Subject.of("robot"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public boolean revoke(Credentials credentials) {
            isRevoked.set(true);
            return true;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return false;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            String prefix = "Bearer key-";
            return Stream.concat(
                            context.header("X-Bearer-Key").stream(),
                            context.header("Authorization").stream()
                                    .filter(field -> field.startsWith(prefix))
                                    .map(field -> field.substring(prefix.length())))
                    .<Credentials>map(Key::new)
                    .findFirst();
        }
    }

    /** Reads a field of its own into a kind of its own. */
    private static final class OtherKeys implements CredentialsReader {

        private record Other(String text) implements Credentials {}

        @Override
        public String name() {
            return "other-keys";
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("X-Other").stream()
                    .<Credentials>map(Other::new)
                    .findFirst();
        }
    }

    /** A chain with Latchkey as the only login, for its challenge, and a chain with HTTP Basic. */
    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        @Order(1)
        SecurityFilterChain asked(HttpSecurity http) throws Exception {
            return http.securityMatcher("/asked/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveChain {

        @Bean
        @Order(1)
        SecurityWebFilterChain asked(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .securityMatcher(new PathPatternParserServerWebExchangeMatcher("/asked/**"))
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .exceptionHandling(handling -> handling.authenticationEntryPoint(latchkey.challenge()))
                    .build();
        }

        @Bean
        SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
            return latchkey.addTo(http)
                    .authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }
}
