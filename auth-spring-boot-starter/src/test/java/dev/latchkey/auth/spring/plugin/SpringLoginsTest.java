package dev.latchkey.auth.spring.plugin;

import static dev.latchkey.auth.spring.ReactiveServices.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.redirectedUrl;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.TestingAuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** HTTP Basic and forms of a servlet service ask the chain that the login endpoint asks. */
@ExtendWith({OutputCaptureExtension.class, AudibleLog.class})
class SpringLoginsTest {

    private final Directory directory = new Directory();
    private final Heard heard = new Heard();
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Chain.class)
            .withBean("directory", AuthPlugin.class, () -> directory)
            .withBean(Heard.class, () -> heard)
            .withPropertyValues("latchkey.tenant-header=X-Tenant");
    private final WebApplicationContextRunner withAccounts = service.withUserConfiguration(Services.Accounts.class);

    @Test
    void basic_asksThePlugins_andLeavesTheServicesAccountsAsTheyAre() {
        withAccounts.run(context -> {
            basically(context, "bob", Directory.BOBS_PASSWORD)
                    .andExpect(content().string("directory:bob Subject [ROLE_STAFF]"));
            basically(context, "alice", Services.PASSWORD).andExpect(content().string("alice User [ROLE_USER]"));
            basically(context, "bob", "wrong").andExpect(status().isUnauthorized());
            basically(context, "nobody", "wrong").andExpect(status().isUnauthorized());
        });
    }

    @Test
    void warningThatAccountsAreNotUsed_isContradictedInTheLineBeforeIt(CapturedOutput log) {
        withAccounts.run(context -> basically(context, "alice", Services.PASSWORD));
        assertThat(log.getAll())
                .containsSubsequence(
                        "ask the auth plugins [directory] and, by the plugin users, the service's accounts, whatever",
                        "UserDetailsService beans will not be used by Spring Security");
    }

    @Test
    void form_asksThePlugins() {
        withAccounts.run(context -> {
            form(context, "bob", Directory.BOBS_PASSWORD).andExpect(redirectedUrl("/"));
            form(context, "alice", Services.PASSWORD).andExpect(redirectedUrl("/"));
            form(context, "bob", "wrong").andExpect(redirectedUrl("/login?error"));
        });
    }

    @Test
    void plugins_areShownTheRequest() {
        withAccounts.run(context -> {
            Services.mvc(context)
                    .perform(get("/who")
                            .header("Authorization", basic("bob", Directory.BOBS_PASSWORD))
                            .header("X-Tenant", "emea"));
            assertThat(directory.asked).containsExactly("bob 192.0.2.1 emea");
        });
    }

    @Test
    void userOfBoots_isThereStill() {
        service.withPropertyValues("spring.security.user.name=carol", "spring.security.user.password={noop}secret")
                .run(context -> {
                    basically(context, "carol", "secret").andExpect(status().isOk());
                    basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isOk());
                });
    }

    @Test
    void login_isCountedOnceByTheLimits() {
        withAccounts.run(context -> {
            for (int i = 0; i < 5; i++) {
                basically(context, "bob", "wrong" + i).andExpect(status().isUnauthorized());
            }
            basically(context, "bob", "wrong5").andExpect(status().isTooManyRequests());
        });
    }

    @Test
    void outage_is503AndNoRejection() {
        directory.bob = () -> {
            throw AuthUnavailableException.outage("the directory is down");
        };
        withAccounts.run(context -> {
            basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isServiceUnavailable());
            form(context, "bob", Directory.BOBS_PASSWORD)
                    .andExpect(status().isServiceUnavailable())
                    .andExpect(header().string("Retry-After", "5"));
        });
    }

    @Test
    void login_isOneEvent() {
        withAccounts.run(context -> {
            basically(context, "bob", Directory.BOBS_PASSWORD);
            basically(context, "bob", "wrong");
            assertThat(heard.events)
                    .containsExactly(
                            "AuthenticationSuccessEvent directory:bob", "AuthenticationFailureBadCredentialsEvent bob");
        });
    }

    @Test
    void switchedOff_isSpringsOwnWay() {
        withAccounts
                .withPropertyValues("latchkey.authentication-manager.enabled=false")
                .run(context -> {
                    basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isUnauthorized());
                    basically(context, "alice", Services.PASSWORD).andExpect(status().isOk());
                    assertThat(directory.asked).isEmpty();
                });
    }

    @Test
    void providerOfTheService_decidesAlone_andTheLogSaysWhatToWrite(CapturedOutput log) {
        withAccounts
                .withBean("own", AuthenticationProvider.class, TestingAuthenticationProvider::new)
                .run(context -> {
                    basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isUnauthorized());
                    assertThat(directory.asked).isEmpty();
                    assertThat(log).contains("[directory]", "http.authenticationProvider(passwords.provider())");
                });
    }

    @Test
    void serviceWithAProviderOfItsOwn_hasThePluginsAskedByOneLine() {
        withAccounts
                .withBean("own", AuthenticationProvider.class, TestingAuthenticationProvider::new)
                .withPropertyValues("asks=true")
                .run(context -> {
                    basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isOk());
                    basically(context, "alice", Services.PASSWORD)
                            .andExpect(content().string("alice User [ROLE_USER]"));
                });
    }

    @Test
    void accountsThatNoPluginWouldDecide_logInAsTheyDid_andTheLogSaysWhy(CapturedOutput log) {
        withAccounts.withPropertyValues("latchkey.plugins=directory").run(context -> {
            basically(context, "alice", Services.PASSWORD).andExpect(status().isOk());
            basically(context, "bob", Directory.BOBS_PASSWORD).andExpect(status().isUnauthorized());
            assertThat(log).contains("add users to it");
        });
        service.withPropertyValues(
                        "latchkey.plugins=directory",
                        "spring.security.user.name=carol",
                        "spring.security.user.password={noop}secret")
                .run(context -> basically(context, "carol", "secret").andExpect(status().isOk()));
    }

    @Test
    void accountsOfOneName_areTwoSubjects_whereHttpBasicAsksTheServicesAccountsAlone() {
        service.withPropertyValues(
                        "latchkey.plugins=directory",
                        "spring.security.user.name=bob",
                        "spring.security.user.password={noop}secret")
                .run(context -> {
                    basically(context, "bob", "secret").andExpect(content().string("bob User []"));
                    assertThat(Directory.idOfBob(context)).isEqualTo("directory:bob");
                });
    }

    @Test
    void accountsOfOneName_areTwoSubjects_whereHttpBasicAsksAProviderOrAManagerOfTheService() {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(new InMemoryUserDetailsManager(
                User.withUsername("bob").password("{noop}secret").build()));
        WebApplicationContextRunner plugins = service.withPropertyValues("latchkey.plugins=directory");
        plugins.withBean("own", AuthenticationProvider.class, () -> provider).run(SpringLoginsTest::assertTwoSubjects);
        plugins.withBean("own", AuthenticationManager.class, () -> new ProviderManager(provider))
                .run(SpringLoginsTest::assertTwoSubjects);
    }

    private static void assertTwoSubjects(ApplicationContext context) throws Exception {
        basically(context, "bob", "secret").andExpect(content().string("bob User []"));
        assertThat(Directory.idOfBob(context)).isEqualTo("directory:bob");
    }

    @Test
    void serviceWithNoAccounts_asksItsPlugins() {
        service.withPropertyValues("latchkey.plugins=directory")
                .run(context -> basically(context, "bob", Directory.BOBS_PASSWORD)
                        .andExpect(content().string("bob Subject [ROLE_STAFF]")));
    }

    @Test
    void pluginThatAsksSpringsManager_doesNotAskItselfForEver() {
        withAccounts.withUserConfiguration(AsksTheManager.class).run(context -> {
            basically(context, "nobody", "wrong").andExpect(status().isUnauthorized());
            basically(context, "alice", Services.PASSWORD).andExpect(status().isOk());
        });
    }

    private static ResultActions basically(ApplicationContext context, String name, String password) throws Exception {
        return Services.mvc(context).perform(get("/who").header("Authorization", basic(name, password)));
    }

    private static ResultActions form(ApplicationContext context, String name, String password) throws Exception {
        return Services.mvc(context)
                .perform(post("/login")
                        .param("username", name)
                        .param("password", password)
                        .with(csrf()));
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http, LatchkeyPasswords passwords, Environment environment)
                throws Exception {
            if (environment.containsProperty("asks")) {
                http.authenticationProvider(passwords.provider());
            }
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .formLogin(withDefaults())
                    .build();
        }

        @Bean
        Who who() {
            return new Who();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AsksTheManager {

        @Bean
        AuthPlugin springs(AuthenticationConfiguration managers) {
            return SpringAuthenticationPlugin.of("springs", (Authentication login) -> {
                try {
                    return managers.getAuthenticationManager().authenticate(login);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @RestController
    static class Who {

        @GetMapping("/who")
        String who(Authentication login) {
            List<String> authorities = login.getAuthorities().stream()
                    .map(Object::toString)
                    .filter(authority -> !authority.contains("FACTOR_"))
                    .toList();
            return login.getName() + " " + login.getPrincipal().getClass().getSimpleName() + " " + authorities;
        }
    }

    static final class Heard implements ApplicationListener<AbstractAuthenticationEvent> {

        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(AbstractAuthenticationEvent event) {
            events.add(event.getClass().getSimpleName() + " "
                    + event.getAuthentication().getName());
        }
    }
}
