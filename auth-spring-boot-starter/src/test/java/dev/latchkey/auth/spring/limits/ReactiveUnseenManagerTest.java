package dev.latchkey.auth.spring.limits;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import reactor.core.publisher.Mono;

/** As {@link UnseenProviderTest}, for WebFlux: a manager of the service asks a directory before the plugins, which are down. */
class ReactiveUnseenManagerTest {

    private static final String RIGHT = "right-at-the-directory";

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.web()
            .withBean(ReactiveServices.Hello.class)
            .withBean("accounts", AuthPlugin.class, Down::new);

    @Test
    void wrongPasswordsOfTheDirectory_count_whileThePluginsAreDown() {
        service.withUserConfiguration(DirectoryFirst.class).run(context -> {
            for (int i = 0; i < 5; i++) {
                assertThat(status(context, "wrong" + i)).isEqualTo(503);
            }
            assertThat(status(context, "wrong")).isEqualTo(429);
            assertThat(status(context, RIGHT)).isEqualTo(429);
        });
    }

    @Test
    void repeatedPassword_isOneGuess() {
        service.withUserConfiguration(DirectoryFirst.class).run(context -> {
            for (int i = 0; i < 10; i++) {
                assertThat(status(context, "the same")).isEqualTo(503);
            }
            assertThat(status(context, RIGHT)).isEqualTo(200);
        });
    }

    @Test
    void pluginsAlone_costNothingWhileTheyAreDown() {
        service.withUserConfiguration(PluginsAlone.class).run(context -> {
            for (int i = 0; i < 10; i++) {
                assertThat(status(context, "password" + i)).isEqualTo(503);
            }
        });
    }

    private static int status(ApplicationContext context, String password) {
        return ReactiveServices.client(context)
                .get()
                .uri("/hello")
                .header("Authorization", basic("ann", password))
                .exchange()
                .returnResult(String.class)
                .getStatus()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    static class DirectoryFirst {
        @Bean
        ReactiveAuthenticationManager both(ReactiveLatchkeyPasswords passwords) {
            ReactiveAuthenticationManager next = passwords.manager();
            return given ->
                    bind(given).onErrorResume(BadCredentialsException.class, rejected -> next.authenticate(given));
        }

        private static Mono<Authentication> bind(Authentication given) {
            return RIGHT.equals(given.getCredentials())
                    ? Mono.just(UsernamePasswordAuthenticationToken.authenticated(
                            given.getName(), null, AuthorityUtils.createAuthorityList("ROLE_USER")))
                    : Mono.error(new BadCredentialsException("No bind with this password"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PluginsAlone {
        @Bean
        ReactiveAuthenticationManager plugins(ReactiveLatchkeyPasswords passwords) {
            return passwords.manager();
        }
    }

    private static final class Down implements LoginSource<PasswordCredentials> {
        @Override
        public String name() {
            return "accounts";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            throw AuthUnavailableException.outage("Simulated: the database is down");
        }
    }
}
