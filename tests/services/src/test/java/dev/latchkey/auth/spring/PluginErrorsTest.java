package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Errors of a plugin on real servers: 500, as for any broken contract. Otherwise the error dispatch would end in a 401 of
 * Spring Security's rules.
 */
class PluginErrorsTest {

    private static final Map<String, Error> ERRORS = Map.of(
            "class", new NoClassDefFoundError("com/acme/Missing"),
            "stack", new StackOverflowError(),
            "assertion", new AssertionError("never"));

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void errorOfAPlugin_isA500_whateverWasPresented(WebApplicationType type) throws Exception {
        try (GuardServer server = GuardServer.start(
                type,
                Service.class,
                // Spring Security of WebFlux has no manager unless there is an account.
                "--spring.security.user.name=alice",
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER)) {
            for (String error : ERRORS.keySet()) {
                assertThat(server.send(server.request("/hello").header("Authorization", "Bearer " + error))
                                .statusCode())
                        .as("token, %s", error)
                        .isEqualTo(500);
                assertThat(server.send(server.request("/hello").header("X-Broken", error))
                                .statusCode())
                        .as("field, %s", error)
                        .isEqualTo(500);
                assertThat(server.get("/hello", error, "any").statusCode())
                        .as("Basic, %s", error)
                        .isEqualTo(500);
                assertThat(server.login(error, "any").join().statusCode())
                        .as("login, %s", error)
                        .isEqualTo(500);
            }
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        AuthPlugin broken() {
            return new Broken();
        }

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static class Endpoints {

        @GetMapping("/hello")
        String hello() {
            return "Hello";
        }
    }

    /** Throws the error that it is shown the name of. */
    private static final class Broken implements LoginSource<Credentials>, CredentialsReader {

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Class<Credentials> kind() {

            return Credentials.class;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            if (credentials instanceof PasswordCredentials given) {
                fail(given.username());
            } else if (credentials instanceof BearerToken given) {
                fail(given.token().withText(CharSequence::toString));
            }
            return Decision.abstained();
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            context.header("X-Broken").forEach(Broken::fail);
            return Optional.empty();
        }

        private static void fail(String name) {
            Error error = ERRORS.get(name);
            if (error != null) {
                throw error;
            }
        }
    }
}
