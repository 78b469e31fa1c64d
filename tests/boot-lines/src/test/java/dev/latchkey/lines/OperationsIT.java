package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Meters, health, the actuator's endpoint and the audit, which would vanish from a line without a word. */
class OperationsIT {

    private static final String PASSWORD = "correct-horse-battery";
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString(("alice:" + PASSWORD).getBytes(StandardCharsets.UTF_8));

    private static final Pattern ACCESS_TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
    private static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";
    private static final String NEXT_KEY = "Xv7JmRk0cN3tQp8sWb2yEa5uHd6fLg9iOz1xVj4nMqA=";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext service;

    @TempDir
    static Path folder;

    private static Path key;

    @BeforeAll
    static void start() throws Exception {
        key = folder.resolve("jwt.key");
        SpringApplication application = new SpringApplication(Service.class);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                // A busy machine must not look like too many logins.
                "latchkey.guard.max-wait", "60s",
                "spring.security.user.name", "alice",
                "spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(10).encode(PASSWORD),
                "latchkey.login.enabled", "true",
                "management.endpoints.web.exposure.include", "*",
                "management.endpoint.health.show-details", "always",
                "management.endpoints.access.default", "unrestricted"));
        service = application.run(
                "--latchkey.jwt.secret=file:" + Files.writeString(key, KEY), "--latchkey.jwt.reload-interval=0s");
        login(PASSWORD);
        login("wrong");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void meters_areInTheRegistry() throws Exception {
        assertThat(get("/actuator/metrics").body())
                .contains("latchkey.logins", "latchkey.cache.gets", "latchkey.keys", "latchkey.authentication");
        assertThat(get("/actuator/metrics/latchkey.logins?tag=outcome:rejected&tag=reason:bad_credentials")
                        .body())
                .contains("\"value\":1.0");
    }

    @Test
    void health_isAContributor() throws Exception {
        HttpResponse<String> health = get("/actuator/health/latchkey");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"UP\"");
    }

    @Test
    void endpoint_showsAndChanges() throws Exception {
        assertThat(get("/actuator/latchkey").body())
                .contains("\"plugins\":[", "\"jwt\"", "\"algorithm\":\"HS256\"", "\"latchkeyCredentialCache\"")
                .doesNotContain("alice", KEY.substring(0, 8), NEXT_KEY.substring(0, 8));
        HttpResponse<String> evicted = change("evict", "{\"account\":\"alice\"}", token(login(PASSWORD)));
        assertThat(evicted.statusCode()).as(evicted.body()).isEqualTo(200);
        assertThat(evicted.body()).contains("\"entries\":");
    }

    @Test
    void endpoint_rotatesToTheKeyThatTheFileHolds() throws Exception {
        String before = token(login(PASSWORD));
        assertThat(change("rotate", "{}", before).body()).isEqualTo("{\"rotation\":\"unchanged\"}");
        Files.writeString(key, NEXT_KEY);
        assertThat(change("rotate", "{}", before).body()).isEqualTo("{\"rotation\":\"rotated\"}");
        assertThat(get("/actuator/latchkey").body()).contains("\"signs\":true", "\"signs\":false");
        assertThat(change("rotate", "{}", token(login(PASSWORD))).statusCode()).isEqualTo(200);
        assertThat(change("rotate", "{}", before).statusCode()).isEqualTo(200);
    }

    @Test
    void audit_hasWhatThePluginsDecided() {
        AuditEventRepository audit = service.getBean(AuditEventRepository.class);
        assertThat(audit.find("alice", null, "AUTHENTICATION_SUCCESS")).isNotEmpty();
        assertThat(audit.find("alice", null, "AUTHENTICATION_FAILURE")).isNotEmpty();
    }

    private static HttpResponse<String> change(String what, String body, String token) throws Exception {
        return send(request("/actuator/latchkey" + (what.equals("evict") ? "caches" : "keys"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> login(String password) throws Exception {
        return send(request("/auth/token")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"username\":\"alice\",\"password\":\"" + password + "\"}")));
    }

    private static String token(HttpResponse<String> login) {
        Matcher token = ACCESS_TOKEN.matcher(login.body());
        assertThat(token.find()).isTrue();
        return token.group(1);
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send(request(path).header("Authorization", BASIC));
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://localhost:" + service.getEnvironment().getProperty("local.server.port") + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        AuditEventRepository audit() {
            return new InMemoryAuditEventRepository();
        }
    }
}
