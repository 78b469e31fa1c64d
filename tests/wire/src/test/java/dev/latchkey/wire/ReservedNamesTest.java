package dev.latchkey.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * A service without the libraries of OAuth2 and SAML providers. Another service with the same key may have them, and would take the
 * token of an account with such a name for a token of the provider's account.
 */
class ReservedNamesTest {

    private static final String KEY = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

    @Test
    void accountNamedLikeASubjectOfAProvider_getsNoToken() throws Exception {
        assertThatExceptionOfType(ClassNotFoundException.class)
                .isThrownBy(() -> Class.forName(
                        "org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken"));
        try (ConfigurableApplicationContext service = new SpringApplication(Service.class)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.grpc.server.port=0",
                        "--latchkey.jwt.secret=" + KEY,
                        "--latchkey.login.enabled=true")) {
            String port = service.getEnvironment().getRequiredProperty("local.server.port");
            assertThat(login(port, "alice")).isEqualTo(200);
            assertThat(login(port, "oauth2:google:1")).isEqualTo(401);
            assertThat(login(port, "saml2:intranet:bob")).isEqualTo(401);
        }
    }

    private static int login(String port, String name) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/auth/token"))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"username\":\"" + name + "\",\"password\":\"correct-horse-battery\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        InMemoryUserDetailsManager accounts() {
            List<UserDetails> accounts =
                    List.of(account("alice"), account("oauth2:google:1"), account("saml2:intranet:bob"));
            return new InMemoryUserDetailsManager(accounts);
        }

        private static UserDetails account(String name) {
            return User.withUsername(name)
                    .password("{noop}correct-horse-battery")
                    .roles("USER")
                    .build();
        }
    }
}
