package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** The packaged starter in a WebFlux service on a real server: what must be there on every line of Spring Boot. */
class ReactiveStarterIT {

    private static final String PASSWORD = "correct-horse-battery";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Map<String, Object> SERVICE = Map.of(
            "server.port", "0",
            "spring.main.banner-mode", "off",
            "spring.security.user.name", "alice",
            "spring.security.user.password", "{bcrypt}" + new BCryptPasswordEncoder(10).encode(PASSWORD));

    @Test
    void basicLogins_answerTheSameWithAndWithout() {
        List<String> without;
        try (ConfigurableApplicationContext service = start(Service.class, "--latchkey.enabled=false")) {
            without = basicAnswers(service);
            assertThat(service.getBeanNamesForType(CredentialCache.class)).isEmpty();
        }
        try (ConfigurableApplicationContext service = start(Service.class)) {
            assertThat(basicAnswers(service)).isEqualTo(without);
            assertThat(service.getBean(CredentialCache.class).stats().hits()).isEqualTo(1);
            assertThat(service.getBeanNamesForType(PasswordEncoder.class)).isEmpty();
            assertThat(service.getBeanNamesForType(ReactiveAuthenticationManager.class))
                    .isEmpty();
        }
    }

    @Test
    void serviceWithItsOwnAccounts_hashesOnThePoolAndIsLimited() {
        try (ConfigurableApplicationContext service = start(OwnAccounts.class)) {
            CountingEncoder encoder = service.getBean(OwnAccounts.class).encoder;
            assertThat(get(service, "/hello", "alice:" + PASSWORD)).startsWith("200Hello alice");
            assertThat(get(service, "/thread", "alice:" + PASSWORD)).doesNotContain("latchkey");
            assertThat(get(service, "/hello", "nobody:" + PASSWORD)).startsWith("401");
            assertThat(encoder.threads).hasSize(2).allMatch(name -> name.startsWith("latchkey-hash-"));
            // Spring Security 7 makes a hash of its own on every login, which nobody stores.
            assertThat(encoder.encoded).hasValue(0);
            for (int i = 0; i < 5; i++) {
                assertThat(get(service, "/hello", "alice:wrong")).startsWith("401");
            }
            assertThat(get(service, "/hello", "alice:wrong"))
                    .startsWith("429")
                    .contains("application/problem+json", "Retry-After");
            assertThat(get(service, "/hello", "alice:" + PASSWORD)).startsWith("200");
        }
    }

    private static ConfigurableApplicationContext start(Class<?> type, String... arguments) {
        SpringApplication application = new SpringApplication(type);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setDefaultProperties(SERVICE);
        return application.run(arguments);
    }

    private static List<String> basicAnswers(ConfigurableApplicationContext service) {
        List<String> answers = new ArrayList<>();
        for (String login : List.of("alice:" + PASSWORD, "alice:" + PASSWORD, "alice:wrong", "nobody:x", "broken")) {
            answers.add(get(service, "/hello", login));
        }
        assertThat(answers.get(0)).startsWith("200");
        assertThat(answers.get(2)).startsWith("401");
        return answers;
    }

    private static String get(ConfigurableApplicationContext service, String path, String login) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        String basic = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        return WebClient.create("http://127.0.0.1:" + port)
                .get()
                .uri(path)
                .header("Authorization", basic)
                .exchangeToMono(ReactiveStarterIT::described)
                .block(LONG);
    }

    private static Mono<String> described(ClientResponse answer) {
        List<String> headers = new ArrayList<>();
        answer.headers().asHttpHeaders().forEach((name, values) -> {
            if (!name.equalsIgnoreCase("Date")) {
                headers.add(name + values);
            }
        });
        return answer.bodyToMono(String.class)
                .defaultIfEmpty("")
                .map(body -> answer.statusCode().value()
                        + body
                        + headers.stream().sorted().toList());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class Service {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Hello.class)
    static class OwnAccounts {

        private final CountingEncoder encoder = new CountingEncoder();

        @Bean
        PasswordEncoder encoder() {
            return encoder;
        }

        @Bean
        ReactiveUserDetailsService users() {
            String hash = new BCryptPasswordEncoder(4).encode(PASSWORD);
            return name -> name.equals("alice")
                    ? Mono.just(User.withUsername(name).password(hash).build())
                    : Mono.empty();
        }
    }

    /** BCrypt that wants every hash made anew. */
    static final class CountingEncoder implements PasswordEncoder {

        private final PasswordEncoder bcrypt = new BCryptPasswordEncoder(4);
        private final List<String> threads = new ArrayList<>();
        private final AtomicInteger encoded = new AtomicInteger();

        @Override
        public String encode(CharSequence raw) {
            if (PASSWORD.contentEquals(raw)) {
                encoded.incrementAndGet();
            }
            return bcrypt.encode(raw);
        }

        @Override
        public synchronized boolean matches(CharSequence raw, String stored) {
            threads.add(Thread.currentThread().getName());
            return bcrypt.matches(raw, stored);
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return true;
        }
    }

    @RestController
    static class Hello {

        @GetMapping("/hello")
        Mono<String> hello(Authentication authentication) {
            return Mono.just("Hello " + authentication.getName());
        }

        @GetMapping("/thread")
        Mono<String> thread() {
            return Mono.fromCallable(() -> Thread.currentThread().getName());
        }
    }
}
