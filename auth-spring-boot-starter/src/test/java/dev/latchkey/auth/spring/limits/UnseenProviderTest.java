package dev.latchkey.auth.spring.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.LatchkeyPasswords;
import dev.latchkey.auth.spring.plugin.SpringAuthenticationPlugin;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/**
 * A chain's own provider compares passwords unseen, as Spring's LDAP provider does. Then the manager of the service's accounts is
 * asked, and their store is down. The outage must not make the guesses at the provider's accounts free.
 */
class UnseenProviderTest {

    private static final String RIGHT = "right-at-the-directory";

    static Stream<Named<WebApplicationContextRunner>> services() {
        WebApplicationContextRunner service = Services.web().withUserConfiguration(Down.class);
        return Stream.of(
                Named.of("global manager next", service.withUserConfiguration(Directory.class)),
                Named.of("observed", service.withUserConfiguration(Directory.class, Observed.class)),
                Named.of("manager bean", service.withUserConfiguration(Directory.class, ManagerBean.class)),
                Named.of(
                        "observed manager bean",
                        service.withUserConfiguration(Directory.class, ManagerBean.class, Observed.class)),
                Named.of("Latchkey's provider next", service.withUserConfiguration(DirectoryBesidePlugins.class)),
                Named.of(
                        "Latchkey's provider next, observed",
                        service.withUserConfiguration(DirectoryBesidePlugins.class, Observed.class)),
                Named.of("behind other accounts", service.withUserConfiguration(DirectoryBehindAccounts.class)),
                Named.of(
                        "behind plugins",
                        service.withUserConfiguration(DirectoryAfterPlugins.class, PluginWithoutAccounts.class)
                                .withPropertyValues("latchkey.plugins=nobody")),
                Named.of("provider without a noted encoder", service.withUserConfiguration(PlainAccounts.class)),
                Named.of("manager of the service", service.withUserConfiguration(OwnManagerBean.class)),
                Named.of(
                        "manager of the service, observed",
                        service.withUserConfiguration(OwnManagerBean.class, Observed.class)),
                Named.of("manager of the chain", service.withUserConfiguration(OwnManagerOfTheChain.class)),
                Named.of("manager of the chain beside plugins", service.withUserConfiguration(OwnBesidePlugins.class)));
    }

    @ParameterizedTest
    @MethodSource("services")
    void wrongPasswordsOfTheProvider_count_whileTheAccountsAreDown(WebApplicationContextRunner service) {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 5; i++) {
                assertThat(status(mvc, "wrong" + i)).isIn(401, 503);
            }
            assertThat(status(mvc, "wrong")).isEqualTo(429);
            assertThat(status(mvc, RIGHT)).isEqualTo(429);
        });
    }

    /** An owner of one of the accounts repeats the right password until the store is back. */
    @ParameterizedTest
    @MethodSource("services")
    void repeatedPassword_isOneGuess(WebApplicationContextRunner service) {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 10; i++) {
                assertThat(status(mvc, "the same")).isIn(401, 503);
            }
            assertThat(status(mvc, RIGHT)).as("let in, and there is no page").isEqualTo(404);
        });
    }

    static Stream<Named<WebApplicationContextRunner>> accountsAlone() {
        WebApplicationContextRunner service = Services.web().withUserConfiguration(Down.class);
        return Stream.of(
                Named.of("global manager", service),
                Named.of("observed", service.withUserConfiguration(Observed.class)),
                Named.of("manager bean", service.withUserConfiguration(ManagerBean.class, Observed.class)),
                Named.of("Latchkey's provider", service.withUserConfiguration(PluginsAlone.class)),
                Named.of("Latchkey's provider first", service.withUserConfiguration(DirectoryAfterPlugins.class)),
                Named.of(
                        "manager of a plugin first",
                        service.withUserConfiguration(DirectoryAfterPlugins.class, ManagerInAPlugin.class)
                                .withPropertyValues("latchkey.plugins=plugin")));
    }

    @ParameterizedTest
    @MethodSource("accountsAlone")
    void accountsAlone_costNothingWhileTheyAreDown(WebApplicationContextRunner service) {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 10; i++) {
                assertThat(status(mvc, "password" + i)).isIn(401, 503);
            }
        });
    }

    @Test
    void pluginThatAsksTheProvider_countsTheWrongPasswordsToo() {
        Services.web()
                .withUserConfiguration(Down.class, DirectoryAsAPlugin.class)
                .withPropertyValues(
                        "latchkey.login.enabled=true",
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.plugins=directory,jwt")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    for (int i = 0; i < 5; i++) {
                        assertThat(token(mvc, "wrong" + i)).isEqualTo(503);
                    }
                    assertThat(token(mvc, "wrong")).isEqualTo(429);
                    assertThat(token(mvc, RIGHT)).isEqualTo(429);
                });
    }

    /** The directory's user has the name of an account, whose attempts are used up under another name. */
    @Test
    void wrongPasswordsOfTheProvider_count_whileTheAccountIsLimited() {
        Services.web().withUserConfiguration(Mailboxes.class, Directory.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 6; i++) {
                status(mvc, "ann@example.org", "wrong" + i);
            }
            for (int i = 0; i < 5; i++) {
                assertThat(status(mvc, "wrong" + i)).isEqualTo(429);
            }
            assertThat(status(mvc, RIGHT)).isEqualTo(429);
        });
    }

    /** The manager of the service may check a code before the manager that compares the password. */
    @Test
    void samePassword_isAnotherGuessBehindAManagerOfTheService() {
        Services.web()
                .withUserConfiguration(Mailboxes.class, OwnManagerBean.class)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    for (int i = 0; i < 5; i++) {
                        assertThat(status(mvc, "the same")).isEqualTo(401);
                    }
                    assertThat(status(mvc, "the same")).isEqualTo(429);
                });
    }

    private static int token(MockMvc mvc, String password) throws Exception {
        String login = "{\"username\":\"ann\",\"password\":\"%s\"}".formatted(password);
        return mvc.perform(post("/auth/token")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(login))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static int status(MockMvc mvc, String password) throws Exception {
        return status(mvc, "ann", password);
    }

    private static int status(MockMvc mvc, String name, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic(name, password)))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @Configuration(proxyBeanMethods = false)
    static class Down {
        @Bean
        UserDetailsService accounts() {
            return name -> {
                throw new IllegalStateException("Simulated: the database is down");
            };
        }
    }

    /** One account with two names. */
    @Configuration(proxyBeanMethods = false)
    static class Mailboxes {
        private static final String STORED = "{bcrypt}" + new BCryptPasswordEncoder(4).encode("of the account");

        @Bean
        UserDetailsService accounts() {
            return name ->
                    User.withUsername("ann").password(STORED).roles("USER").build();
        }
    }

    /** The manager of the service's accounts, as a bean. */
    @Configuration(proxyBeanMethods = false)
    static class LocalManager {
        @Bean
        AuthenticationManager local(UserDetailsService accounts) {
            return new ProviderManager(new DaoAuthenticationProvider(accounts));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Directory {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return chainOf(http.authenticationProvider(new Bind()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DirectoryBesidePlugins {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationProvider(new Bind()).authenticationProvider(passwords.provider()));
        }
    }

    /** These accounts are up, and do not know the user of the directory. */
    @Configuration(proxyBeanMethods = false)
    static class DirectoryBehindAccounts {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            UserDetailsService others = new InMemoryUserDetailsManager(
                    User.withUsername("bob").password(Mailboxes.STORED).build());
            return chainOf(http.authenticationProvider(new DaoAuthenticationProvider(others))
                    .authenticationProvider(new Bind()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DirectoryAfterPlugins {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationProvider(passwords.provider()).authenticationProvider(new Bind()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PluginWithoutAccounts {
        @Bean
        AuthPlugin nobody() {
            return SpringAuthenticationPlugin.of("nobody", (AuthenticationManager) given -> {
                throw new UsernameNotFoundException("unknown");
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PluginsAlone {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationProvider(passwords.provider()));
        }
    }

    /** The plugin's own manager is asked before the directory. */
    @Configuration(proxyBeanMethods = false)
    static class ManagerInAPlugin extends LocalManager {
        @Bean
        AuthPlugin plugin(AuthenticationManager local) {
            return SpringAuthenticationPlugin.of("plugin", local);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerBean {
        @Bean
        AuthenticationManager manager(AuthenticationConfiguration global) throws Exception {
            return global.getAuthenticationManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManagerBean extends LocalManager {
        @Bean
        @Primary
        AuthenticationManager both(@Qualifier("local") AuthenticationManager local) {
            return bindOr(local);
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http, AuthenticationManager both) throws Exception {
            return chainOf(http.authenticationManager(both));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManagerOfTheChain extends LocalManager {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, AuthenticationManager local) throws Exception {
            return chainOf(http.authenticationManager(bindOr(local)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBesidePlugins {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, LatchkeyPasswords passwords) throws Exception {
            return chainOf(http.authenticationManager(bindOr(passwords.provider()::authenticate)));
        }
    }

    /** The manager is no bean, so its encoder is as the service made it. */
    @Configuration(proxyBeanMethods = false)
    static class PlainAccounts {
        @Bean
        SecurityFilterChain chain(HttpSecurity http, AuthenticationConfiguration global) throws Exception {
            DaoAuthenticationProvider directory =
                    new DaoAuthenticationProvider(new InMemoryUserDetailsManager(User.withUsername("ann")
                            .password("{noop}" + RIGHT)
                            .roles("USER")
                            .build()));
            return chainOf(http.authenticationManager(
                    new ProviderManager(List.of(directory), global.getAuthenticationManager())));
        }
    }

    private static AuthenticationManager bindOr(AuthenticationManager next) {
        Bind first = new Bind();
        return given -> {
            try {
                return first.authenticate(given);
            } catch (BadCredentialsException e) {
                return next.authenticate(given);
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class DirectoryAsAPlugin extends LocalManager {
        @Bean
        @Primary
        AuthenticationManager both(@Qualifier("local") AuthenticationManager local) {
            return new ProviderManager(List.of(new Bind()), local);
        }

        @Bean
        AuthPlugin directory(AuthenticationManager both) {
            return SpringAuthenticationPlugin.of("directory", both);
        }
    }

    /** Spring Security then wraps each manager. */
    @Configuration(proxyBeanMethods = false)
    static class Observed {
        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(context -> true);
            return registry;
        }
    }

    private static SecurityFilterChain chainOf(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                .httpBasic(withDefaults())
                .build();
    }

    private static final class Bind implements AuthenticationProvider {
        @Override
        public Authentication authenticate(Authentication given) {
            if (!RIGHT.equals(given.getCredentials())) {
                throw new BadCredentialsException("No bind with this password");
            }
            return UsernamePasswordAuthenticationToken.authenticated(
                    given.getName(), null, AuthorityUtils.createAuthorityList("ROLE_USER"));
        }

        @Override
        public boolean supports(Class<?> type) {
            return UsernamePasswordAuthenticationToken.class.isAssignableFrom(type);
        }
    }
}
