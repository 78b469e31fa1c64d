package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.reactive.server.WebTestClient;

/** The hashes of a rejection in a WebFlux service with BCrypt at cost 6: counted, since time depends on the machine. */
class ReactiveUnknownUserTest {

    private static final String STORED = new BCryptPasswordEncoder(6).encode(Services.PASSWORD);

    @ParameterizedTest
    @CsvSource({"basic,6", "basic,4", "login,6", "login,4"})
    void unknownName_wrongPasswordAndLockedAccount_costOneHashOfTheSameCost(String way, int costOfTheEncoder) {
        CountingBcrypt encoder = new CountingBcrypt(costOfTheEncoder);
        ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withBean(PasswordEncoder.class, () -> encoder)
                .withUserConfiguration(Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    assertThat(attempt(way, client, "alice", Services.PASSWORD)).isEqualTo(200);
                    for (String[] wrong : new String[][] {
                        {"alice", "wrong"}, {"nobody", "wrong"}, {"nobody", Services.PASSWORD}, {"locked", "wrong"}
                    }) {
                        encoder.costs.clear();
                        assertThat(attempt(way, client, wrong[0], wrong[1])).isEqualTo(401);
                        assertThat(encoder.costs).as(way + " of " + wrong[0]).containsExactly(6);
                    }
                });
    }

    private static int attempt(String way, WebTestClient client, String name, String password) {
        WebTestClient.RequestHeadersSpec<?> request = way.equals("basic")
                ? client.get().uri("/thread").header("Authorization", ReactiveServices.basic(name, password))
                : client.post()
                        .uri("/auth/token")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .bodyValue("username=" + name + "&password=" + password);
        return request.exchange().expectBody().returnResult().getStatus().value();
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("alice").password(STORED).build(),
                    User.withUsername("locked")
                            .password(STORED)
                            .accountLocked(true)
                            .build());
        }
    }

    /** BCrypt with a record of the cost of each hash. */
    private static final class CountingBcrypt implements PasswordEncoder {

        private final List<Integer> costs = new CopyOnWriteArrayList<>();
        private final int cost;
        private final PasswordEncoder bcrypt;

        private CountingBcrypt(int cost) {
            this.cost = cost;
            this.bcrypt = new BCryptPasswordEncoder(cost);
        }

        @Override
        public String encode(CharSequence raw) {
            costs.add(cost);
            return bcrypt.encode(raw);
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            costs.add(Integer.parseInt(stored.substring(4, 6)));
            return bcrypt.matches(raw, stored);
        }
    }
}
