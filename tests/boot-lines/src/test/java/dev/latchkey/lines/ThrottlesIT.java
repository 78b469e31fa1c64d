package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** Throttles in one service with logins, on servlets and on WebFlux. */
class ThrottlesIT {

    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("alice:battery".getBytes(StandardCharsets.UTF_8));

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void secondRequestOfACaller_isRefused_andTheActuatorShowsBoth(WebApplicationType type) throws Exception {
        SpringApplication application = new SpringApplication(Service.class);
        application.setWebApplicationType(type);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "latchkey.guard.max-wait", "60s",
                "spring.security.user.name", "alice",
                "spring.security.user.password", "{noop}battery",
                "management.endpoints.web.exposure.include", "*",
                "latchkey.throttle.once.paths", "/once",
                "latchkey.throttle.once.principal.tokens", "1",
                "latchkey.throttle.once.principal.per", "1d"));
        try (ConfigurableApplicationContext service = application.run()) {
            String base = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
            assertThat(get(base + "/once").statusCode()).isEqualTo(404);
            assertThat(get(base + "/once").statusCode()).isEqualTo(429);
            assertThat(get(base + "/actuator/latchkeythrottles").body())
                    .contains("\"once\":{\"waiting\":0,\"passed\":1,\"refused\":1,");
            assertThat(service.getBeansOfType(GuardTime.class)).hasSize(1);
        }
    }

    private HttpResponse<String> get(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", BASIC)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {}
}
