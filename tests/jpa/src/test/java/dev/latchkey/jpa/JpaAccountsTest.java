package dev.latchkey.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Logins of accounts in Hibernate, while the request has a persistence context open. */
class JpaAccountsTest {

    static final int CONNECTIONS = 3;

    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("ann:password".getBytes(StandardCharsets.UTF_8));

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void accountWithLazyRoles_logsIn() throws Exception {
        try (ConfigurableApplicationContext service = start("--open-in-filter=true")) {
            HttpResponse<String> tokens = send(request(service, "/auth/token")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"username\":\"ann\",\"password\":\"password\"}")));
            assertThat(tokens.statusCode()).as(tokens.body()).isEqualTo(200);
            assertThat(send(request(service, "/hello").header("Authorization", BASIC))
                            .body())
                    .isEqualTo("hello");
        }
    }

    /** Each request holds a connection for its account. A look-up with a further connection would wait for all others. */
    @Test
    void loginsInControllers_needOneConnectionEach() throws Exception {
        try (ConfigurableApplicationContext service = start("--spring.jpa.open-in-view=true")) {
            List<CompletableFuture<HttpResponse<String>>> logins = Stream.generate(() -> client.sendAsync(
                            request(service, "/login")
                                    .POST(BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString()))
                    .limit(CONNECTIONS)
                    .toList();
            for (CompletableFuture<HttpResponse<String>> login : logins) {
                assertThat(login.get(1, TimeUnit.MINUTES).body()).isEqualTo("true");
            }
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext service, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + path));
    }

    private static ConfigurableApplicationContext start(String setting) {
        return new SpringApplication(JpaService.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--spring.main.banner-mode=off",
                        "--spring.datasource.generate-unique-name=true",
                        "--spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
                        "--spring.datasource.hikari.connection-timeout=2000",
                        "--spring.jpa.hibernate.ddl-auto=create",
                        "--latchkey.jwt.secret=" + "0123456789abcdef".repeat(3),
                        "--latchkey.login.enabled=true",
                        setting);
    }
}
