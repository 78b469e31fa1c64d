package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import reactor.core.publisher.Mono;

/** The accounts of a WebFlux service do not answer. The answer is the same as without Latchkey, and nobody has tried a password. */
class ReactiveAccountOutageTest {

    private @Nullable Throwable outage;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void outageOfTheAccounts_costsNoAttempt(boolean hasManagerBean) {
        ReactiveWebApplicationContextRunner service = ReactiveServices.web()
                .withBean(PasswordEncoder.class, Services::cheapEncoder)
                .withBean(ReactiveServices.Hello.class)
                .withBean(ReactiveUserDetailsService.class, () -> this::find);
        (hasManagerBean ? service.withUserConfiguration(SpringsManager.class) : service).run(context -> {
            outage = new IllegalStateException("Simulated: the database is down");
            for (int i = 0; i < 7; i++) {
                assertThat(hello(context).getStatus().value()).isEqualTo(500);
            }
            outage = null;
            assertThat(hello(context).getStatus().value()).isEqualTo(200);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class SpringsManager {
        @Bean
        ReactiveAuthenticationManager manager(ReactiveUserDetailsService accounts, PasswordEncoder encoder) {
            UserDetailsRepositoryReactiveAuthenticationManager manager =
                    new UserDetailsRepositoryReactiveAuthenticationManager(accounts);
            manager.setPasswordEncoder(encoder);
            return manager;
        }
    }

    private Mono<UserDetails> find(String name) {
        Throwable failure = outage;
        return failure == null
                ? Mono.just(User.withUsername(name)
                        .password(Services.HASH)
                        .roles("USER")
                        .build())
                : Mono.error(failure);
    }

    private static EntityExchangeResult<String> hello(ApplicationContext context) {
        return ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .headers(headers -> headers.setBasicAuth("alice", Services.PASSWORD))
                .exchange()
                .expectBody(String.class)
                .returnResult();
    }
}
