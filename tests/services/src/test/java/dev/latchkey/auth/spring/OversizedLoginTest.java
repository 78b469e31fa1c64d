package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import reactor.core.publisher.Mono;

/** A client announces a body of nine gigabytes to the login, sends one byte of the body, and waits for the answer. */
class OversizedLoginTest {

    private static final int PATIENCE_MILLIS = 60_000;

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void loginThatAnnouncesTooMuch_is413_beforeItsBodyIsThere(WebApplicationType type) throws IOException {
        try (GuardServer server = GuardServer.start(
                        type,
                        Service.class,
                        "--latchkey.login.enabled=true",
                        "--latchkey.jwt.secret=" + Services.KEY,
                        GuardServer.NO_RESOURCE_SERVER,
                        "--server.tomcat.connection-timeout=10m");
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.setSoTimeout(PATIENCE_MILLIS);
            client.getOutputStream().write("""
                            POST /auth/token HTTP/1.1\r
                            Host: localhost\r
                            Content-Type: application/json\r
                            Content-Length: 9000000000\r
                            \r
                            {""".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 413 ");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Service {

        @Bean
        UserDetailsService users() {
            return Service::user;
        }

        @Bean
        ReactiveUserDetailsService reactiveUsers() {
            return name -> Mono.just(user(name));
        }

        private static UserDetails user(String name) {
            return User.withUsername(name).password("{noop}" + name).build();
        }
    }
}
