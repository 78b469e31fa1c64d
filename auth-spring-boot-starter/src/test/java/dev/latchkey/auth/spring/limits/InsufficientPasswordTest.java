package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.login.StepServicesOfTests;
import dev.latchkey.auth.spring.plugin.LatchkeyPasswords;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/**
 * HTTP Basic cannot ask for a second step, so the plugins reject the owner's right password. Spring Security then asks the next
 * manager. The right password must not use up the budget of the owner's next login with a code.
 */
class InsufficientPasswordTest {

    static Stream<Named<WebApplicationContextRunner>> services() {
        WebApplicationContextRunner service = Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean("codes", AuthPlugin.class, StepServicesOfTests::step)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.plugins=users,jwt,codes");
        return Stream.of(
                        Named.of("no line", service),
                        Named.of("global manager next", service.withUserConfiguration(Plugins.class)),
                        Named.of(
                                "manager of the same accounts next",
                                service.withUserConfiguration(Plugins.class, SameAccounts.class)),
                        Named.of("unseen provider before", service.withUserConfiguration(UnseenBefore.class)))
                .flatMap(plain -> Stream.of(
                        plain,
                        Named.of(
                                plain.getName() + ", observed",
                                plain.getPayload().withUserConfiguration(UnseenProviderTest.Observed.class))));
    }

    @ParameterizedTest
    @MethodSource("services")
    void rightPasswordWithoutItsStep_costsNothing(WebApplicationContextRunner service) {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 12; i++) {
                assertThat(status(mvc, Services.PASSWORD)).isEqualTo(401);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(status(mvc, "wrong" + i)).isEqualTo(401);
            }
            assertThat(status(mvc, "wrong")).isEqualTo(429);
        });
    }

    private static int status(MockMvc mvc, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic("alice", password)))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @Configuration(proxyBeanMethods = false)
    static class Plugins {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationProvider(passwords.provider()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnseenBefore {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationProvider(new Others()).authenticationProvider(passwords.provider()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SameAccounts {
        @Bean
        AuthenticationManager own(UserDetailsService accounts, PasswordEncoder encoder) {
            DaoAuthenticationProvider provider = new DaoAuthenticationProvider(accounts);
            provider.setPasswordEncoder(encoder);
            return new ProviderManager(List.of(provider));
        }
    }

    private static SecurityFilterChain chainOf(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                .httpBasic(withDefaults())
                .build();
    }

    /** Accounts of other people. */
    private static final class Others implements AuthenticationProvider {
        @Override
        public Authentication authenticate(Authentication given) {
            throw new BadCredentialsException("No account here");
        }

        @Override
        public boolean supports(Class<?> type) {
            return UsernamePasswordAuthenticationToken.class.isAssignableFrom(type);
        }
    }
}
