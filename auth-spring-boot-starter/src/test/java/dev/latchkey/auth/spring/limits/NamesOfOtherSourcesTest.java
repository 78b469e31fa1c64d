package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestBuilders.formLogin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.Services;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.context.WebApplicationContext;

/** An account with the name of another source's subject, where Spring Security decides the password. */
class NamesOfOtherSourcesTest {

    private static final List<UserDetails> ACCOUNTS = List.of(account("bob"), account("tickets:bob"));

    private static UserDetails account(String name) {
        return User.withUsername(name).password(Services.HASH).roles("USER").build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "latchkey.authentication-manager.enabled=false",
                "latchkey.guard.enabled=false",
                "own=manager"
            })
    void accountNamedLikeASubjectOfAnotherSource_isRejected(String property) {
        Services.web()
                .withUserConfiguration(Accounts.class)
                .withBean(PasswordEncoder.class, Services::cheapEncoder)
                .withUserConfiguration(property.startsWith("own") ? new Class<?>[] {OwnManager.class} : new Class<?>[0])
                .withBean("tickets", AuthPlugin.class, Tickets::new)
                .withPropertyValues(property.isEmpty() ? "a=b" : property)
                .run(context -> {
                    assertThat(redirectOf(context, "bob")).isEqualTo("/");
                    assertThat(redirectOf(context, "tickets:bob")).isEqualTo("/login?error");
                });
    }

    /** By the form: HTTP Basic cannot send a name with a colon (RFC 7617 section 2). */
    private static @Nullable String redirectOf(WebApplicationContext context, String name) throws Exception {
        return Services.mvc(context)
                .perform(formLogin().user(name).password(Services.PASSWORD))
                .andReturn()
                .getResponse()
                .getRedirectedUrl();
    }

    @Configuration(proxyBeanMethods = false)
    static class Accounts {

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(ACCOUNTS);
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManager {

        @Bean
        AuthenticationManager manager(UserDetailsService users) {
            return new ProviderManager(new DaoAuthenticationProvider(users));
        }
    }

    private record Ticket() implements Credentials {}

    /** A second source of accounts, of other credentials than passwords. */
    private static final class Tickets implements LoginSource<Ticket> {

        @Override
        public String name() {
            return "tickets";
        }

        @Override
        public Class<Ticket> kind() {
            return Ticket.class;
        }

        @Override
        public Decision authenticate(Ticket credentials, RequestContext context) {
            return Authenticated.as(Subject.of("bob"));
        }
    }
}
