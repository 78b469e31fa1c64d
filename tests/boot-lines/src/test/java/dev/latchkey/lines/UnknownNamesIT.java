package dev.latchkey.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Each unknown name has limits of its own, on every line of Spring Security. */
class UnknownNamesIT {

    private static final Map<String, Object> SERVICE = Map.of(
            "server.port", "0",
            "spring.main.banner-mode", "off",
            "latchkey.guard.permits", "2",
            "latchkey.guard.max-wait", "60s",
            "latchkey.guard.trusted-proxies", "none");

    private final HttpClient client = HttpClient.newHttpClient();

    /** The provider makes its stand-in hash at the first login, and twice where two come at once. */
    @Test
    void namesThatComeFirstAndAtOnce_areNoAccountThatIsExhausted() throws Exception {
        try (ConfigurableApplicationContext service = start()) {
            Stream.of("first", "second")
                    .map(name -> login(service, name))
                    .toList()
                    .forEach(each -> assertThat(each.join().statusCode()).isEqualTo(401));
            for (int i = 0; i < 9; i++) {
                assertThat(login(service, "nobody" + i).join().statusCode()).isEqualTo(401);
            }
        }
    }

    private static ConfigurableApplicationContext start() {
        SpringApplication application = new SpringApplication(Service.class);
        application.setDefaultProperties(SERVICE);
        return application.run();
    }

    private CompletableFuture<HttpResponse<String>> login(ConfigurableApplicationContext service, String name) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        String basic = Base64.getEncoder().encodeToString((name + ":wrong").getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .header("Authorization", "Basic " + basic)
                .timeout(Duration.ofSeconds(60))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        UserDetailsService nobody() {
            return name -> {
                throw new UsernameNotFoundException("There is no such account");
            };
        }

        @Bean
        PasswordEncoder encoder() {
            return new TwoHashesAtOnce();
        }
    }

    /** Makes the first hash when the second is asked for, where anything asks for two; and another one each time. */
    private static final class TwoHashesAtOnce implements PasswordEncoder {

        private final AtomicInteger salt = new AtomicInteger();
        private final CyclicBarrier first = new CyclicBarrier(2);

        @Override
        public String encode(CharSequence raw) {
            int number = salt.incrementAndGet();
            if (number <= 2 && raw.toString().equals("userNotFoundPassword")) {
                awaitTheOther();
            }
            return number + "$" + raw;
        }

        private void awaitTheOther() {
            try {
                first.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("Nothing asked for a second hash", e);
            }
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return stored.endsWith("$" + raw);
        }
    }
}
