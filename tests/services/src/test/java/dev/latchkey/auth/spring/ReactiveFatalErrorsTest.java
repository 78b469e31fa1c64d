package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.login.LoginLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A manager's errors thrown by Reactor at subscribers: answered as without the starter, without a leftover reservation. */
class ReactiveFatalErrorsTest {

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(WebApplicationType.REACTIVE, Service.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"asked-linkage", "asked-stack", "subscribed-linkage", "subscribed-stack"})
    void fatalErrorOfAManager_isAnswered_andLeavesNoReservation(String name) throws Exception {
        assertThat(server.get("/hello", name, "any").statusCode()).isEqualTo(500);
        assertThat(server.bean(LoginLimits.class).stats().contended()).isZero();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        ReactiveAuthenticationManager manager() {
            return request -> {
                Error error = request.getName().endsWith("linkage")
                        ? new NoClassDefFoundError("Gone")
                        : new StackOverflowError("deep");
                if (request.getName().startsWith("asked")) {
                    throw error;
                }
                return Mono.fromCallable(() -> {
                    throw error;
                });
            };
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
}
