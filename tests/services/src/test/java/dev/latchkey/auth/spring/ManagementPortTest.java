package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A port of the actuator's own has a context of its own, and the answers of the service's port. */
class ManagementPortTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void pluginThatIsDown_isA503_andABrokenOneA500(WebApplicationType type) throws Exception {
        try (GuardServer server = GuardServer.start(
                type,
                Service.class,
                // Spring Security of WebFlux has no manager unless there is an account.
                "--spring.security.user.name=alice",
                "--management.server.port=0",
                "--management.endpoints.web.exposure.include=info")) {
            assertThat(statusOf(server, "up")).isEqualTo(200);
            assertThat(statusOf(server, "down")).isEqualTo(503);
            assertThat(statusOf(server, "broken")).isEqualTo(500);
        }
    }

    private static int statusOf(GuardServer server, String user) throws Exception {
        String port = server.bean(Environment.class).getRequiredProperty("local.management.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/info"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", GuardServer.basic(user, "any"))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        AuthPlugin directory() {
            return new Directory();
        }
    }

    /** Accepts every name except the names of defects. */
    private static final class Directory implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            String name = credentials.username();
            return switch (name) {
                case "down" -> throw AuthUnavailableException.outage("The directory does not answer");
                case "broken" -> throw new IllegalStateException("broken");
                default -> Authenticated.as(Subject.of(name));
            };
        }
    }
}
