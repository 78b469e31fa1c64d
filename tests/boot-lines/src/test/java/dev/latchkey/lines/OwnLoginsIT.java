package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The own sessions over a real server: a list with addresses, single ends, and the maximum. */
class OwnLoginsIT {

    private static final String PASSWORD = "correct-horse-battery";
    private static final Map<String, Object> SERVICE = Map.ofEntries(
            Map.entry("server.port", "0"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("latchkey.guard.max-wait", "60s"),
            Map.entry("latchkey.jwt.secret", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="),
            Map.entry("latchkey.login.enabled", "true"),
            Map.entry("latchkey.login.refresh.enabled", "true"),
            Map.entry("latchkey.login.logins.enabled", "true"),
            Map.entry("latchkey.login.logins.record-address", "true"),
            Map.entry("latchkey.login.max-per-account", "2"),
            Map.entry("latchkey.login.when-full", "refuse"),
            // So local requests have an address, and do not count as requests of a proxy.
            Map.entry("latchkey.guard.trusted-proxies", "127.0.0.1/32"),
            Map.entry("spring.security.user.name", "alice"),
            Map.entry("spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(10).encode(PASSWORD)));

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void logins_areListedBoundedAndEnded(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext service = start(type)) {
            String phone = tokenOf(login(service, "192.0.2.7"));
            String desktop = tokenOf(login(service, "2001:db8::7"));
            assertThat(login(service, "192.0.2.8").statusCode()).isEqualTo(409);
            HttpResponse<String> list = send(service, desktop, "/auth/logins", "GET");
            assertThat(list.statusCode()).isEqualTo(200);
            assertThat(list.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(list.body())
                    .containsSubsequence(
                            "\"address\":\"2001:db8:0:0:0:0:0:7\",\"current\":true",
                            "\"address\":\"192.0.2.7\",\"current\":false");
            HttpResponse<String> head = send(service, desktop, "/auth/logins", "HEAD");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(head.body()).isEmpty();
            Matcher older = Pattern.compile(".*\"id\":\"([^\"]+)\"").matcher(list.body());
            assertThat(older.find()).isTrue();
            String end = "/auth/logins/" + older.group(1);
            assertThat(send(service, phone + "x", end, "DELETE").statusCode()).isEqualTo(401);
            assertThat(send(service, desktop, end, "DELETE").statusCode()).isEqualTo(204);
            assertThat(send(service, desktop, end, "DELETE").statusCode()).isEqualTo(404);
            assertThat(send(service, phone, "/hello", "GET").statusCode()).isEqualTo(401);
            assertThat(send(service, desktop, "/hello", "GET").body()).isEqualTo("Hello alice");
            assertThat(login(service, "192.0.2.8").statusCode()).isEqualTo(200);
        }
    }

    private static ConfigurableApplicationContext start(WebApplicationType type) {
        SpringApplication application = new SpringApplication(Service.class);
        application.setWebApplicationType(type);
        application.setDefaultProperties(SERVICE);
        return application.run();
    }

    private HttpResponse<String> login(ConfigurableApplicationContext service, String address) throws Exception {
        return send(request(service, "/auth/token")
                .header("X-Forwarded-For", address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("username=alice&password=" + PASSWORD)));
    }

    private static String tokenOf(HttpResponse<String> login) {
        Matcher token = Pattern.compile("\"access_token\":\"([^\"]+)\"").matcher(login.body());
        assertThat(token.find()).as(login.body()).isTrue();
        return token.group(1);
    }

    private HttpResponse<String> send(ConfigurableApplicationContext service, String token, String path, String method)
            throws Exception {
        return send(request(service, path)
                .header("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.noBody()));
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
    public static class Hello {

        @GetMapping("/hello")
        String hello(Authentication authentication) {
            return "Hello " + authentication.getName();
        }
    }
}
