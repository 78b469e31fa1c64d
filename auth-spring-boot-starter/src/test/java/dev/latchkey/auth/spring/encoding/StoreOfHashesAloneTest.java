package dev.latchkey.auth.spring.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.http.MediaType;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import reactor.core.publisher.Mono;

/**
 * Logins with refresh tokens, in a service with accounts that take no new hash: a {@link StoredPasswords} bean takes
 * the hash.
 */
class StoreOfHashesAloneTest {

    private static final String LOGIN = "username=alice&password=" + Services.PASSWORD;
    private static final String[] PROPERTIES = {
        "latchkey.password.encoding=bcrypt:cost=10",
        "latchkey.jwt.secret=" + Services.KEY,
        "latchkey.login.enabled=true",
        "latchkey.login.refresh.enabled=true"
    };

    private final Map<String, String> hashes =
            new ConcurrentHashMap<>(Map.of("alice", new BCryptPasswordEncoder(4).encode(Services.PASSWORD)));

    @Test
    void loginReplacesTheHash() {
        Services.web()
                .withPropertyValues(PROPERTIES)
                .withBean(StoredPasswords.class, () -> hashes::replace)
                .withBean(UserDetailsService.class, () -> this::account)
                .run(context -> {
                    Services.mvc(context)
                            .perform(post("/auth/token")
                                    .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                                    .content(LOGIN));
                    assertThat(hashes.get("alice")).startsWith("{bcrypt}");
                });
    }

    @Test
    void loginReplacesTheHash_onWebFlux() {
        ReactiveServices.web()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyUpgradeAutoConfiguration.class, LatchkeyPasswordAutoConfiguration.class))
                .withPropertyValues(PROPERTIES)
                .withBean(StoredPasswords.class, () -> hashes::replace)
                .withBean(ReactiveUserDetailsService.class, () -> name -> Mono.fromCallable(() -> account(name)))
                .run(context -> {
                    ReactiveServices.client(context)
                            .post()
                            .uri("/auth/token")
                            .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                            .bodyValue(LOGIN)
                            .exchange()
                            .expectStatus()
                            .isOk();
                    assertThat(hashes.get("alice")).startsWith("{bcrypt}");
                });
    }

    private UserDetails account(String name) {
        return User.withUsername(name).password(hashes.get(name)).roles("USER").build();
    }
}
