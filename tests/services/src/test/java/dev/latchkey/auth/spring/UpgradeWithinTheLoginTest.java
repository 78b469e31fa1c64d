package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.io.IOException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import reactor.core.publisher.Mono;

/**
 * The bean method names only the interface, so that the store of new hashes is known after the start alone. Spring Security replaces
 * the hash within the login, and the owner's client stays known.
 */
class UpgradeWithinTheLoginTest {

    private static final String HOME = "203.0.113.7";
    private static final String READ_ONLY = "read-only replica";

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loginForATokenAtHome_keepsTheClientKnown(boolean isRefreshed) {
        Services.web()
                .withUserConfiguration(Accounts.class)
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=" + isRefreshed)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    assertThat(statusOf(forAToken(Services.PASSWORD), HOME, mvc))
                            .isEqualTo(200);
                    requireReplaced(context.getBean(UserDetailsService.class).loadUserByUsername("alice"));
                    for (int i = 0; i < 200; i++) {
                        statusOf(forAToken("wrong" + i), "198.18.0." + i, mvc);
                    }
                    assertThat(statusOf(forAToken(Services.PASSWORD), "192.0.2.1", mvc))
                            .as("a stranger")
                            .isEqualTo(429);
                    assertThat(statusOf(forAToken(Services.PASSWORD), HOME, mvc))
                            .isEqualTo(200);
                });
    }

    @Test
    void basicAtHome_keepsTheClientKnown() {
        Services.web().withUserConfiguration(Accounts.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            assertThat(statusOf(basic(Services.PASSWORD), HOME, mvc)).isEqualTo(200);
            requireReplaced(context.getBean(UserDetailsService.class).loadUserByUsername("alice"));
            for (int i = 0; i < 200; i++) {
                statusOf(basic("wrong" + i), "198.18.0." + i, mvc);
            }
            assertThat(statusOf(basic(Services.PASSWORD), "192.0.2.1", mvc))
                    .as("a stranger")
                    .isEqualTo(429);
            assertThat(statusOf(basic(Services.PASSWORD), HOME, mvc)).isEqualTo(200);
        });
    }

    @Test
    void onWebFluxToo() {
        ReactiveServices.web()
                .withUserConfiguration(ReactiveAccounts.class)
                .withPropertyValues("latchkey.guard.trusted-proxies=192.0.2.1")
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    assertThat(reactive(Services.PASSWORD, HOME, client)).isEqualTo(200);
                    requireReplaced(context.getBean(ReactiveUserDetailsService.class)
                            .findByUsername("alice")
                            .block());
                    for (int i = 0; i < 200; i++) {
                        reactive("wrong" + i, "198.18.0." + i, client);
                    }
                    assertThat(reactive(Services.PASSWORD, "192.0.2.99", client))
                            .as("a stranger")
                            .isEqualTo(429);
                    assertThat(reactive(Services.PASSWORD, HOME, client)).isEqualTo(200);
                });
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException(READ_ONLY), new IOException(READ_ONLY), new AssertionError(READ_ONLY));
    }

    /** As a read-only database. The password was right each time. */
    @ParameterizedTest
    @MethodSource("failures")
    void storeThatTakesNoHash_costsNoAttempt(Throwable failure) {
        Services.web().withUserConfiguration(Accounts.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            Store store = (Store) context.getBean(UserDetailsService.class);
            store.failure = failure;
            for (int i = 0; i < 8; i++) {
                assertThatThrownBy(() -> statusOf(basic(Services.PASSWORD), HOME, mvc))
                        .hasStackTraceContaining(READ_ONLY);
            }
            store.failure = null;
            assertThat(statusOf(basic(Services.PASSWORD), HOME, mvc)).isEqualTo(200);
        });
    }

    static Stream<Mono<UserDetails>> answers() {
        return Stream.concat(failures().map(Mono::<UserDetails>error), Stream.of(Mono.empty()));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void storeThatTakesNoHash_costsNoLoginOnWebFlux(Mono<UserDetails> answer) {
        ReactiveServices.web()
                .withUserConfiguration(ReactiveAccounts.class)
                .withBean(
                        "readOnly",
                        ReactiveUserDetailsPasswordService.class,
                        () -> (user, hash) -> answer,
                        definition -> definition.setPrimary(true))
                .run(context -> {
                    WebTestClient client = ReactiveServices.client(context);
                    for (int i = 0; i < 8; i++) {
                        assertThat(reactive(Services.PASSWORD, HOME, client)).isEqualTo(200);
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("failures")
    void storeThatTakesNoHash_costsNoLoginForAToken(Throwable failure) {
        Services.web()
                .withUserConfiguration(Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    ((Store) context.getBean(UserDetailsService.class)).failure = failure;
                    MockMvc mvc = Services.mvc(context);
                    for (int i = 0; i < 8; i++) {
                        assertThat(statusOf(forAToken(Services.PASSWORD), HOME, mvc))
                                .isEqualTo(200);
                    }
                });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static void requireReplaced(UserDetails account) {
        assertThat(account.getPassword()).startsWith("$2a$05$");
    }

    private static MockHttpServletRequestBuilder forAToken(String password) {
        return post("/auth/token")
                .contentType("application/json")
                .content(Services.LOGIN.replace(Services.PASSWORD, password));
    }

    private static MockHttpServletRequestBuilder basic(String password) {
        return get("/hello").with(httpBasic("alice", password));
    }

    private static int statusOf(MockHttpServletRequestBuilder request, String address, MockMvc mvc) throws Exception {
        return mvc.perform(request.with(sent -> {
                    sent.setRemoteAddr(address);
                    return sent;
                }))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static int reactive(String password, String address, WebTestClient client) {
        return client.get()
                .uri("/hello")
                .headers(fields -> fields.setBasicAuth("alice", password))
                .header("X-Forwarded-For", address)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    private static UserDetails alice() {
        return User.withUsername("alice")
                .password(new BCryptPasswordEncoder(4).encode(Services.PASSWORD))
                .roles("USER")
                .build();
    }

    private static final class Store extends InMemoryUserDetailsManager {

        private @Nullable Throwable failure;

        Store() {
            super(alice());
        }

        @Override
        public UserDetails updatePassword(UserDetails user, String hash) {
            if (failure != null) {
                throw UpgradeWithinTheLoginTest.<RuntimeException>unchecked(failure);
            }
            return super.updatePassword(user, hash);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        UserDetailsService accounts() {
            return new Store();
        }

        @Bean
        PasswordEncoder encoder() {
            return new BCryptPasswordEncoder(5);
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ReactiveAccounts {

        @Bean
        ReactiveUserDetailsService accounts() {
            return new MapReactiveUserDetailsService(alice());
        }

        @Bean
        PasswordEncoder encoder() {
            return new BCryptPasswordEncoder(5);
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }
}
