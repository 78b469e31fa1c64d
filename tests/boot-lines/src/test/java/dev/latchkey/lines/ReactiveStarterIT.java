package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** The packaged starter in a WebFlux service on a real server: what must be there on every line of Spring Boot. */
class ReactiveStarterIT {

    private static final String LOGIN = "--latchkey.login.enabled=true";
    private static final String KEY = "--latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String ALICE = "--spring.security.user.name=alice";
    private static final String HASH = "--spring.security.user.password={bcrypt}"
            + new BCryptPasswordEncoder(10).encode(ReactiveServices.PASSWORD);
    private static final Map<String, Object> SERVICE = Map.of(
            "server.port", "0",
            "spring.main.banner-mode", "off",
            // There is no proxy: each caller here is a client of its own.
            "latchkey.guard.trusted-proxies", "127.0.0.0/8,::1/128",
            // A busy machine must not look like too many logins.
            "latchkey.guard.max-wait", "60s");

    @Test
    void basicLogins_answerTheSameWithAndWithout() {
        List<String> without;
        try (ConfigurableApplicationContext service =
                start(ReactiveServices.Service.class, ALICE, HASH, "--latchkey.enabled=false")) {
            without = basicAnswers(service);
            assertThat(service.getBeanNamesForType(CredentialCache.class)).isEmpty();
        }
        try (ConfigurableApplicationContext service = start(ReactiveServices.Service.class, ALICE, HASH)) {
            assertThat(basicAnswers(service)).isEqualTo(without);
            assertThat(service.getBean(CredentialCache.class).stats().hits()).isEqualTo(1);
            assertThat(service.getBeanNamesForType(PasswordEncoder.class)).isEmpty();
            assertThat(service.getBeanNamesForType(ReactiveAuthenticationManager.class))
                    .isEmpty();
        }
    }

    @Test
    void serviceWithItsOwnAccounts_hashesOnTheThreadsForItAndIsLimited() {
        try (ConfigurableApplicationContext service = start(ReactiveServices.OwnAccounts.class)) {
            ReactiveServices.CountingEncoder encoder = service.getBean(ReactiveServices.OwnAccounts.class).encoder;
            assertThat(get(service, "/hello", "alice:" + ReactiveServices.PASSWORD))
                    .startsWith("200Hello alice");
            assertThat(get(service, "/thread", "alice:" + ReactiveServices.PASSWORD))
                    .doesNotContain("latchkey");
            assertThat(get(service, "/hello", "nobody:" + ReactiveServices.PASSWORD))
                    .startsWith("401");
            assertThat(encoder.threads).hasSize(2).allMatch("latchkey-hash"::equals);
            // Spring Security 7 makes a hash of its own on every login, and no store takes the hash.
            assertThat(encoder.encoded).hasValue(0);
            for (int i = 0; i < 5; i++) {
                assertThat(get(service, "/hello", "carol:wrong" + i)).startsWith("401");
            }
            assertThat(get(service, "/hello", "carol:wrong"))
                    .startsWith("429")
                    .contains("application/problem+json", "Retry-After");
            assertThat(get(service, "/hello", "alice:" + ReactiveServices.PASSWORD))
                    .startsWith("200");
        }
    }

    @Test
    void refusedToken_leavesItsConnectionToTheNextRequest() throws IOException {
        try (ConfigurableApplicationContext service =
                        start(ReactiveServices.ResourceServer.class, ALICE, HASH, LOGIN, KEY);
                KeptConnection connection = new KeptConnection(
                        Integer.parseInt(service.getEnvironment().getRequiredProperty("local.server.port")))) {
            String token = loggedIn(service);
            // The second is kept back until the first is answered, and then refused at once.
            connection.ask(token, token + "x");
            assertThat(connection.status()).isEqualTo(200);
            assertThat(connection.status()).isEqualTo(401);
            connection.ask(token);
            assertThat(connection.status()).isEqualTo(200);
        }
    }

    @Test
    void ownChainThatIsAResourceServer_runsOnTheDecoder_andHasTheEndpoints() {
        try (ConfigurableApplicationContext service =
                start(ReactiveServices.ResourceServer.class, ALICE, HASH, LOGIN, KEY)) {
            String token = loggedIn(service);
            assertThat(service.getBean(ReactiveJwtDecoder.class)
                            .decode(token)
                            .block(LONG)
                            .getSubject())
                    .isEqualTo("alice");
            requireTokenIsTakenUntilLogout(service, token);
            assertThat(post(service, "/auth/token", "username=alice&password=wrong", ""))
                    .startsWith("401")
                    .contains("application/problem+json", "WWW-Authenticate[Bearer realm=\"Realm\"]");
            assertThat(post(service, "/auth/token", "username=alice&password=" + "x".repeat(100_000), ""))
                    .startsWith("413")
                    .contains("application/problem+json");
            assertThat(service.getBean(MeterRegistry.class)
                            .get("latchkey.logins")
                            .tags("kind", "password", "outcome", "authenticated")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(service.getBean(MeterRegistry.class)
                            .find("latchkey.logins")
                            .tags("outcome", "failed")
                            .counter())
                    .isNull();
        }
    }

    @Test
    void serviceWithItsOwnAccountsAndAKey_isAResourceServerByDefault() {
        try (ConfigurableApplicationContext service = start(ReactiveServices.OwnAccounts.class, LOGIN, KEY)) {
            assertThat(service.getBeanNamesForType(SecurityWebFilterChain.class))
                    .hasSize(1);
            requireTokenIsTakenUntilLogout(service, loggedIn(service));
        }
    }

    @Test
    void ownChainForTokensAlone_asksForATokenAlone() {
        try (ConfigurableApplicationContext service =
                start(ReactiveServices.TokensAlone.class, ALICE, HASH, LOGIN, KEY)) {
            assertThat(ask(service, HttpMethod.GET, "/hello", "", ""))
                    .startsWith("401")
                    .contains("WWW-Authenticate[Bearer realm=\"Realm\"]");
            requireTokenIsTakenUntilLogout(service, loggedIn(service));
        }
    }

    private static String loggedIn(ConfigurableApplicationContext service) {
        String answer = post(service, "/auth/token", "username=alice&password=" + ReactiveServices.PASSWORD, "");
        assertThat(answer).startsWith("200{\"access_token\":");
        return answer.replaceAll("(?s).*\"access_token\":\"([^\"]+)\".*", "$1");
    }

    private static void requireTokenIsTakenUntilLogout(ConfigurableApplicationContext service, String token) {
        assertThat(ask(service, HttpMethod.GET, "/hello", "Bearer " + token, ""))
                .startsWith("200Hello alice");
        assertThat(ask(service, HttpMethod.GET, "/hello", "Bearer " + token + "x", ""))
                .startsWith("401")
                .contains("error=\"invalid_token\"");
        assertThat(post(service, "/auth/logout", "", "Bearer " + token)).startsWith("204");
        assertThat(ask(service, HttpMethod.GET, "/hello", "Bearer " + token, ""))
                .startsWith("401");
    }

    private static ConfigurableApplicationContext start(Class<?> type, String... arguments) {
        SpringApplication application = new SpringApplication(type);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setDefaultProperties(SERVICE);
        return application.run(arguments);
    }

    private static List<String> basicAnswers(ConfigurableApplicationContext service) {
        List<String> answers = new ArrayList<>();
        for (String login : List.of(
                "alice:" + ReactiveServices.PASSWORD,
                "alice:" + ReactiveServices.PASSWORD,
                "alice:wrong",
                "nobody:x",
                "broken")) {
            answers.add(get(service, "/hello", login));
        }
        assertThat(answers.get(0)).startsWith("200");
        assertThat(answers.get(2)).startsWith("401");
        return answers;
    }

    private static String get(ConfigurableApplicationContext service, String path, String login) {
        String basic = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        return ask(service, HttpMethod.GET, path, basic, "");
    }

    private static String post(ConfigurableApplicationContext service, String path, String form, String authorization) {
        return ask(service, HttpMethod.POST, path, authorization, form);
    }

    private static String ask(
            ConfigurableApplicationContext service, HttpMethod method, String path, String authorization, String form) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        WebClient.RequestBodySpec request =
                WebClient.create("http://127.0.0.1:" + port).method(method).uri(path);
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").bodyValue(form);
        }
        return request.exchangeToMono(ReactiveStarterIT::described).block(LONG);
    }

    private static Mono<String> described(ClientResponse answer) {
        List<String> headers = new ArrayList<>();
        answer.headers().asHttpHeaders().forEach((name, values) -> {
            if (!name.equalsIgnoreCase("Date")) {
                headers.add(name + values);
            }
        });
        return answer.bodyToMono(String.class)
                .defaultIfEmpty("")
                .map(body -> answer.statusCode().value()
                        + body
                        + headers.stream().sorted().toList());
    }
}
