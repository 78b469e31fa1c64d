package dev.latchkey.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

class PlainServiceTest {

    private static final String ALICE = "--plain.accounts.alice=";

    @Test
    void rightPassword_isGreetedByName_hashedOrNot() throws Exception {
        try (ConfigurableApplicationContext hashed = start(ALICE + bcrypt("in-plain-sight"));
                ConfigurableApplicationContext unhashed = start("--plain.hashing=none", ALICE + "in-plain-sight")) {
            assertThat(hello(hashed, "alice", "in-plain-sight").body()).isEqualTo("Hello alice");
            assertThat(hello(unhashed, "alice", "in-plain-sight").body()).isEqualTo("Hello alice");
        }
    }

    @Test
    void wrongPasswordOrUnknownName_isNotLetIn() throws Exception {
        try (ConfigurableApplicationContext service = start(ALICE + bcrypt("in-plain-sight"))) {
            assertThat(hello(service, "alice", "wrong").statusCode()).isEqualTo(401);
            assertThat(hello(service, "nobody", "in-plain-sight").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void printedSettings_nameNoStoredPassword() {
        PlainProperties plain = new PlainProperties(PlainProperties.Hashing.NONE, Map.of("alice", "in-plain-sight"));
        assertThat(plain.toString()).contains("alice").doesNotContain("in-plain-sight");
    }

    private static String bcrypt(String password) {
        return new BCryptPasswordEncoder(4).encode(password);
    }

    private static ConfigurableApplicationContext start(String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = "--server.port=0";
        return SpringApplication.run(PlainService.class, all);
    }

    private static HttpResponse<String> hello(ConfigurableApplicationContext service, String name, String password)
            throws Exception {
        String port = service.getEnvironment().getProperty("local.server.port");
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/hello"))
                .header("Authorization", "Basic " + credentials)
                .timeout(Duration.ofSeconds(30))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
