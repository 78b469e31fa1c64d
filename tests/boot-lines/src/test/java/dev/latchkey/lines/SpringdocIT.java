package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.scheduler.Schedulers;

/** Springdoc shows exactly the endpoints of the service, in both versions of OpenAPI. */
class SpringdocIT {

    private static final Map<String, Object> SERVICE = Map.ofEntries(
            Map.entry("server.port", "0"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("latchkey.guard.max-wait", "60s"),
            Map.entry("latchkey.jwt.secret", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="),
            Map.entry("latchkey.login.enabled", "true"),
            Map.entry("latchkey.login.base-path", "/id"),
            Map.entry("latchkey.login.path", "/login"),
            Map.entry("spring.security.user.name", "alice"),
            Map.entry("spring.security.user.password", "{noop}correct-horse-battery"));

    private static final Pattern REFERENCE = Pattern.compile("\"#(/components/\\w+/\\w+)\"");

    /** Springdoc loads classes by the loader of a thread, and threads of Reactor keep the loader of a Tomcat that has stopped. */
    @BeforeEach
    void stopOldThreads() {
        Schedulers.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({"SERVLET, openapi_3_1", "SERVLET, openapi_3_0", "REACTIVE, openapi_3_1", "REACTIVE, openapi_3_0"})
    void document_hasTheEndpointsOfTheService(WebApplicationType type, String version) throws Exception {
        SpringApplication application = new SpringApplication(OwnLoginsIT.Service.class);
        application.setWebApplicationType(type);
        application.setDefaultProperties(SERVICE);
        try (ConfigurableApplicationContext service =
                application.run("--springdoc.api-docs.enabled=true", "--springdoc.api-docs.version=" + version)) {
            String text = documentOf(service);
            JsonNode document = new ObjectMapper().readTree(text);
            assertThat(document.path("openapi").asText())
                    .startsWith(version.substring(8).replace('_', '.'));
            assertThat(document.path("paths").fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrder("/hello", "/id/token", "/id/logout", "/id/revoke");
            assertThat(document.at("/paths/~1id~1token/post/operationId").asText())
                    .isEqualTo("token");
            assertThat(document.at("/components/schemas/LatchkeyTokens/properties/access_token/type")
                            .asText())
                    .isEqualTo("string");
            assertThat(document.at("/components/securitySchemes/oauth2/flows/password/tokenUrl")
                            .asText())
                    .isEqualTo("/id/token");
            Matcher references = REFERENCE.matcher(text);
            assertThat(references.results().map(found -> document.at(found.group(1))))
                    .isNotEmpty()
                    .allSatisfy(component -> assertThat(component.isObject()).isTrue());
        }
    }

    private static String documentOf(ConfigurableApplicationContext service) throws Exception {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        String pair =
                Base64.getEncoder().encodeToString("alice:correct-horse-battery".getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v3/api-docs"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Basic " + pair)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
