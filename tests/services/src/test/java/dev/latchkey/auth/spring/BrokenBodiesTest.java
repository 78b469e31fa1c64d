package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;

/** A body that ends too early, or has a malformed chunk, at a real Tomcat. The error dispatch would be a request without a login. */
class BrokenBodiesTest {

    private static final int PATIENCE_MILLIS = 60_000;

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                WebApplicationType.SERVLET,
                Service.class,
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"})
    void brokenBody_isAMistakeOfTheRequest(String body) throws IOException {
        assertThat(answer("/auth/token", body))
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json", "\"status\":400");
        assertThat(answer("/auth/revoke", body)).startsWith("HTTP/1.1 400 ").contains("\"invalid_request\"");
    }

    private static String answer(String path, String body) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.setSoTimeout(PATIENCE_MILLIS);
            String request =
                    "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + body;
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Service {

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name).password("{noop}" + name).build();
        }
    }
}
