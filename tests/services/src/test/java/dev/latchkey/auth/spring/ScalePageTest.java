package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.Until.until;
import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.auth.spring.shared.EmbeddedRedis;
import dev.latchkey.auth.store.LocalRevocations;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The steps of {@code docs/how-to/scale.md}: the sums, the health of a running service, and the entries of its Redis. */
class ScalePageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "how-to", "scale.md");
    private static final Pattern SUMS = Pattern.compile("(?ms)^ *```sh\\n(.*?)^ *```\\n\\s*```\\n(.*?)^ *```");
    private static final Pattern HEALTH = Pattern.compile("\"revocations\":(\\{[^}]*})");
    private static final Pattern ENTRIES = Pattern.compile("ZCARD '(\\S+)'\\n *\\(integer\\) (\\d+)");
    private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void sums_areThoseOfThePage() throws Exception {
        Matcher step = found(SUMS);
        Process shell = new ProcessBuilder("sh", "-c", step.group(1).stripIndent())
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .containsExactlyElementsOf(
                        step.group(2).lines().map(String::strip).toList());
    }

    @Test
    void runningService_hasTwoEntriesAfterALogout_asThePageShows() throws Exception {
        try (EmbeddedRedis redis = new EmbeddedRedis();
                GuardServer node = GuardServer.start(
                        Service.class,
                        "--latchkey.store=redis",
                        "--spring.data.redis.port=" + redis.port(),
                        "--latchkey.service=shop",
                        "--latchkey.jwt.secret=" + Services.KEY,
                        "--latchkey.login.enabled=true",
                        "--latchkey.login.refresh.enabled=true",
                        "--spring.security.user.name=alice",
                        "--spring.security.user.password={noop}" + Services.PASSWORD,
                        "--management.endpoint.health.show-details=always")) {
            Matcher token =
                    TOKEN.matcher(node.login("alice", Services.PASSWORD).join().body());
            assertThat(token.find()).isTrue();
            assertThat(node.send(node.request("/auth/logout")
                                    .header("Authorization", "Bearer " + token.group(1))
                                    .POST(HttpRequest.BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(204);
            LocalRevocations copy = node.bean(LocalRevocations.class);
            until(() -> copy.status().size() == 2);

            JsonNode shown = JSON.readTree(found(HEALTH).group(1));
            JsonNode revocations = JSON.readTree(node.get("/actuator/health/latchkey", "alice", Services.PASSWORD)
                            .body())
                    .at("/details/revocations");
            assertThat(revocations.fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrderElementsOf(() -> shown.fieldNames());
            assertThat(revocations.get("remembered")).isEqualTo(shown.get("remembered"));
            assertThat(revocations.get("upToDate")).isEqualTo(shown.get("upToDate"));

            Matcher entries = found(ENTRIES);
            try (RedisConnection connection =
                    node.bean(RedisConnectionFactory.class).getConnection()) {
                assertThat(connection.zSetCommands().zCard(entries.group(1).getBytes(StandardCharsets.UTF_8)))
                        .isEqualTo(Long.parseLong(entries.group(2)));
            }
        }
    }

    private static Matcher found(Pattern step) throws Exception {
        Matcher found = step.matcher(Files.readString(PAGE));
        assertThat(found.find()).as(step.pattern()).isTrue();
        return found;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WithRedis.class)
    static class Service {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .with(latchkey(), Customizer.withDefaults())
                    .build();
        }
    }
}
