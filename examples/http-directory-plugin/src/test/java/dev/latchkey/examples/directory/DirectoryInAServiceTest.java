package dev.latchkey.examples.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The plugin in a service: the jar on the class path, and configuration. target/logins.txt has the measured times. */
@Tag("long")
class DirectoryInAServiceTest {

    private static final Duration DIRECTORY_TAKES = Duration.ofMillis(300);
    private static final int AT_ONCE = 20;
    private static final int ROUNDS_TO_WARM_UP = 3;
    private static final int ROUNDS = 10;

    private static SlowDirectory directory;
    private static ConfigurableApplicationContext service;
    private static HttpClient client;

    @Configuration
    @EnableAutoConfiguration
    static class Service {}

    @BeforeAll
    static void start() throws IOException {
        directory = SlowDirectory.answeringAfter(DIRECTORY_TAKES);
        service = SpringApplication.run(
                Service.class,
                "--server.port=0",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=IiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEE=",
                "--latchkey.plugins=jwt,emea",
                "--latchkey.plugin.emea.type=http-directory",
                "--latchkey.plugin.emea.url=" + directory.url(),
                "--latchkey.plugin.emea.service-key=" + DirectoryFixture.SERVICE_KEY,
                "--latchkey.plugin.emea.connect-timeout=60s",
                "--latchkey.plugin.emea.timeout=60s");
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        service.close();
        directory.close();
    }

    @Test
    void loginByTheDirectory_givesAToken_andAWrongPasswordNone() throws Exception {
        HttpResponse<String> right = login("ada", DirectoryFixture.PASSWORD).get();
        assertThat(right.statusCode()).isEqualTo(200);
        assertThat(right.body()).contains("\"access_token\"");
        assertThat(login("ada", DirectoryFixture.WRONG_PASSWORD).get().statusCode())
                .isEqualTo(401);
    }

    @Test
    void loginsAtOnce_waitForTheDirectoryTogether() throws Exception {
        for (int round = 0; round < ROUNDS_TO_WARM_UP; round++) {
            loginAtOnce();
        }
        List<Long> millis = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            loginAtOnce();
            millis.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
        }
        Files.writeString(
                Path.of("target", "logins.txt"),
                AT_ONCE + " logins of " + AT_ONCE + " accounts at once, a directory that takes "
                        + DIRECTORY_TAKES.toMillis() + " ms, JDK "
                        + Runtime.version() + "\nms until the last has its token, of " + ROUNDS + " rounds: " + millis
                        + "\n");
        directory.answerTogether(AT_ONCE);
        loginAtOnce();
        directory.answerTogether(0);
    }

    private static void loginAtOnce() {
        List<CompletableFuture<HttpResponse<String>>> logins = IntStream.range(0, AT_ONCE)
                .mapToObj(user -> login(DirectoryFixture.ONE_OF_MANY + user, DirectoryFixture.PASSWORD))
                .toList();
        assertThat(logins)
                .allSatisfy(login -> assertThat(login.get().statusCode()).isEqualTo(200));
    }

    private static CompletableFuture<HttpResponse<String>> login(String name, String password) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/auth/token"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}"))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }
}
