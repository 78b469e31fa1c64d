package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.access.RecentProof;
import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The packaged starter in a service on a real server: what must be there on every line of Spring Boot. */
class StarterIT {

    private static final String PASSWORD = "correct-horse-battery";
    private static final Map<String, Object> SERVICE = Map.of(
            "server.port", "0",
            "spring.main.banner-mode", "off",
            // A machine that is busy with other things must not look like one that has too many logins.
            "latchkey.guard.max-wait", "60s",
            "spring.security.user.name", "alice",
            "spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(10).encode(PASSWORD));
    private static final String KEY = "--latchkey.jwt.secret=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";
    private static final String LOGIN = "--latchkey.login.enabled=true";
    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");

    private static final Pattern REFRESH_TOKEN = Pattern.compile("\"refresh_token\":\"([^\"]+)\"");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void whatRuns_isTheJarOnTheLineThatIsMeant() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("line.version"));
        assertThat(LatchkeyHttpConfigurer.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith(".jar");
    }

    @Test
    void basicLogins_answerTheSameWithAndWithout() throws Exception {
        List<String> without;
        try (ConfigurableApplicationContext service = start("--latchkey.enabled=false")) {
            without = basicAnswers(service);
            assertThat(service.getBeanNamesForType(CredentialCache.class)).isEmpty();
        }
        try (ConfigurableApplicationContext service = start()) {
            assertThat(basicAnswers(service)).isEqualTo(without);
            assertThat(service.getBean(CredentialCache.class).stats().hits()).isEqualTo(1);
            assertThat(service.getBeanNamesForType(PasswordEncoder.class)).isEmpty();
            assertThat(service.getBeanNamesForType(AuthenticationProvider.class))
                    .isEmpty();
        }
    }

    @Test
    void serviceWithoutAChain_hasLoginTokensRefreshAndLogout() throws Exception {
        // The key under the name that Nacos gives it, so that every line is seen to know it.
        String key = KEY.replace("latchkey.jwt.secret", "nacos.core.auth.plugin.nacos.token.secret.key");
        try (ConfigurableApplicationContext service =
                start(key, LOGIN, "--latchkey.login.refresh.enabled=true", "--latchkey.login.response=oauth")) {
            assertThat(service.getBean(AuthChain.class).pluginNames()).containsExactlyInAnyOrder("users", "jwt");
            HttpResponse<String> login = send(request(service, "/auth/token")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"username\":\"alice\",\"password\":\"" + PASSWORD + "\"}")));
            assertThat(login.statusCode()).isEqualTo(200);
            Matcher token = ACCESS_TOKEN.matcher(login.body());
            assertThat(token.find()).isTrue();
            Matcher refresh = REFRESH_TOKEN.matcher(login.body());
            assertThat(refresh.find()).isTrue();
            HttpResponse<String> refreshed = send(request(service, "/auth/token")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "grant_type=refresh_token&refresh_token=" + refresh.group(1))));
            assertThat(refreshed.statusCode()).isEqualTo(200);
            String bearer = "Bearer " + token.group(1);
            assertThat(get(service, "/hello", bearer).body()).isEqualTo("Hello alice");
            assertThat(get(service, "/hello", bearer + "x").statusCode()).isEqualTo(401);
            send(request(service, "/auth/logout")
                    .header("Authorization", bearer)
                    .POST(HttpRequest.BodyPublishers.noBody()));
            assertThat(get(service, "/hello", bearer).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void resourceServerOfBoot_runsOnTheDecoder() throws Exception {
        Map<String, Object> noUser = new HashMap<>(SERVICE);
        noUser.keySet().removeIf(name -> name.startsWith("spring.security.user"));
        try (ConfigurableApplicationContext service = start(noUser, KEY)) {
            assertThat(service.getBeanNamesForType(SecurityFilterChain.class))
                    .containsExactly("jwtSecurityFilterChain");
            assertThat(service.getBeanNamesForType(JwtDecoder.class)).containsExactly("latchkeyJwtDecoder");
            String token = service.getBean(JwtSigner.class)
                    .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1))
                            .with("authorities", List.of("ROLE_USER")));
            assertThat(get(service, "/hello", "Bearer " + token).body()).isEqualTo("Hello alice");
            assertThat(get(service, "/authorities", "Bearer " + token).body()).contains("ROLE_USER");
            // Spring Security 7 gives each bearer token a factor with the time of the request.
            assertThat(get(service, "/recent", "Bearer " + token).body()).isEqualTo("false");
            HttpResponse<String> refused = get(service, "/hello", "Bearer " + token + "x");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(
                            challenge -> assertThat(challenge).startsWith("Bearer error=\"invalid_token\""));
        }
    }

    @Test
    void issuerOfTheService_keepsItsOwnDecoder() {
        try (ConfigurableApplicationContext service =
                start(KEY, "--spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:1/keys")) {
            assertThat(service.getBeansOfType(JwtDecoder.class).values())
                    .singleElement()
                    .satisfies(
                            decoder -> assertThat(decoder.getClass().getName()).startsWith("org.springframework."));
        }
    }

    @Test
    void keyFile_isFollowedWhileTheServiceRuns() throws Exception {
        Path file = Files.createTempFile("latchkey", ".key");
        Files.writeString(file, "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=");
        try (ConfigurableApplicationContext service =
                start("--latchkey.jwt.secret=file:" + file, "--latchkey.jwt.reload-interval=5ms")) {
            String earlier =
                    service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
            long version = service.getBean(RotatingKeys.class).version();
            Files.writeString(file, "EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=");
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (service.getBean(RotatingKeys.class).version() == version) {
                assertThat(System.nanoTime()).as("the file was looked at").isLessThan(end);
                LockSupport.parkNanos(1_000_000);
            }
            String later = service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
            assertThat(get(service, "/hello", "Bearer " + earlier).statusCode()).isEqualTo(200);
            assertThat(get(service, "/hello", "Bearer " + later).statusCode()).isEqualTo(200);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void bootsOwnRuleForHealth_stays() throws Exception {
        try (ConfigurableApplicationContext service = start(KEY)) {
            assertThat(send(request(service, "/actuator/health")).statusCode()).isEqualTo(200);
            assertThat(send(request(service, "/hello")).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void mistake_isAnalysed() {
        List<String> analysers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((m, e) -> {}))
                .stream()
                .map(analyser -> analyser.getClass().getSimpleName())
                .toList();
        assertThat(analysers).contains("LatchkeyFailureAnalyzer");
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        return start(SERVICE, arguments);
    }

    private static ConfigurableApplicationContext start(Map<String, Object> defaults, String... arguments) {
        SpringApplication application = new SpringApplication(Service.class);
        application.setDefaultProperties(defaults);
        return application.run(arguments);
    }

    private List<String> basicAnswers(ConfigurableApplicationContext service) throws Exception {
        List<String> answers = new ArrayList<>();
        for (String login : List.of("alice:" + PASSWORD, "alice:" + PASSWORD, "alice:wrong", "nobody:x", "broken")) {
            String basic = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            HttpResponse<String> answer = get(service, "/hello", basic);
            answers.add(answer.statusCode()
                    + answer.body()
                    + answer.headers().allValues("WWW-Authenticate")
                    + answer.headers().map().keySet());
        }
        assertThat(answers.get(0)).startsWith("200");
        assertThat(answers.get(2)).startsWith("401");
        return answers;
    }

    private HttpResponse<String> get(ConfigurableApplicationContext service, String path, String authorization)
            throws Exception {
        return send(request(service, path).header("Authorization", authorization));
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext service, String path) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class Service {}

    @RestController
    static class Hello {

        private final ObjectProvider<RecentProof> proof;

        Hello(ObjectProvider<RecentProof> proof) {
            this.proof = proof;
        }

        @GetMapping("/recent")
        boolean recent(Authentication authentication) {
            return proof.getObject()
                    .within(authentication, Duration.ofMinutes(5))
                    .isGranted();
        }

        @GetMapping("/hello")
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }

        @GetMapping("/authorities")
        String authorities(Authentication authentication) {
            return authentication.getAuthorities().toString();
        }
    }
}
