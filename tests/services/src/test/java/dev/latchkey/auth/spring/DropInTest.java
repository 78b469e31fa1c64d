package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.cache.CredentialCacheStats;
import dev.latchkey.auth.spring.plugin.UserDetailsPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.servlet.MockMvc;

/** Services without an encoder bean, each asked the same without and with Latchkey: no answer and no event may differ. */
class DropInTest {

    @Test
    void bootsDefaultUser_answersTheSame() {
        WebApplicationContextRunner service = Services.web()
                .withUserConfiguration(Observed.class)
                .withPropertyValues(
                        "spring.security.user.name=alice", "spring.security.user.password=" + Services.PASSWORD);
        // Its password is stored as it is until the answer is told, so there is at most the comparison to save.
        assertThat(statsOfTheSameAnswers(service).hits()).isLessThanOrEqualTo(1);
        // Boot's store upgrades a cheaper hash than its encoder's after the first login, and it is another hash then.
        String dear = "{bcrypt}" + new BCryptPasswordEncoder(10).encode(Services.PASSWORD);
        assertThat(statsOfTheSameAnswers(service.withPropertyValues("spring.security.user.password=" + dear))
                        .hits())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DropInServices.PrefixedHashes.class,
                DropInServices.OwnProviderBean.class,
                DropInServices.SeveralProviders.class,
                DropInServices.OwnManager.class,
                DropInServices.ProviderOfTheChain.class
            })
    void serviceWithoutAnEncoderBean_answersTheSameAndIsCached(Class<?> configuration) {
        WebApplicationContextRunner service =
                Services.web().withUserConfiguration(Observed.class, CheapHashesAreCached.class, configuration);
        assertThat(statsOfTheSameAnswers(service).hits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {DropInServices.EncoderByInterface.class, DropInServices.EncoderByClass.class})
    void encoderBean_isNotCachedTwice(Class<?> configuration) {
        WebApplicationContextRunner service = Services.web()
                .withUserConfiguration(
                        Observed.class, CheapHashesAreCached.class, DropInServices.PrefixedHashes.class, configuration);
        CredentialCacheStats stats = statsOfTheSameAnswers(service);
        assertThat(stats.hits()).isEqualTo(1);
        // One check for alice and one for the disabled account, with the right password each.
        assertThat(stats.stored()).isEqualTo(2);
    }

    @Test
    void noProviderAndNoEncoder_arePublished() {
        Services.web()
                .withUserConfiguration(Observed.class, DropInServices.PrefixedHashes.class)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(AuthenticationProvider.class)
                        .doesNotHaveBean(PasswordEncoder.class));
    }

    @Test
    void usersPlugin_isCachedWithoutAnEncoderBean() {
        Services.web()
                .withUserConfiguration(Observed.class, CheapHashesAreCached.class, DropInServices.PrefixedHashes.class)
                .run(context -> {
                    var plugin = context.getBean(UserDetailsPlugin.class);
                    var alice = new PasswordCredentials("alice", Secret.of(Services.PASSWORD));
                    plugin.authenticate(alice, RequestContext.none());
                    plugin.authenticate(alice, RequestContext.none());
                    assertThat(context.getBean(CredentialCache.class).stats().hits())
                            .isEqualTo(1);
                });
    }

    /** Asks the service without and with Latchkey, and tells what the cache did. */
    private static CredentialCacheStats statsOfTheSameAnswers(WebApplicationContextRunner service) {
        List<String> before = new ArrayList<>();
        service.withPropertyValues("latchkey.enabled=false").run(context -> before.addAll(answers(context)));
        List<String> after = new ArrayList<>();
        List<CredentialCacheStats> stats = new ArrayList<>();
        service.run(context -> {
            after.addAll(answers(context));
            stats.add(context.getBean(CredentialCache.class).stats());
        });
        assertThat(before).anyMatch(line -> line.startsWith("200")).anyMatch(line -> line.startsWith("401"));
        assertThat(after).isEqualTo(before);
        return stats.get(0);
    }

    /** The right password twice, and each way to be wrong; one line per answer and per event. */
    private static List<String> answers(ApplicationContext context) throws Exception {
        MockMvc mvc = Services.mvc(context);
        List<String> lines = new ArrayList<>();
        lines.add(described(mvc.perform(get("/hello")).andReturn().getResponse()));
        for (String[] login : new String[][] {
            {"alice", Services.PASSWORD},
            {"alice", Services.PASSWORD},
            {"alice", "wrong"},
            {"alice", ""},
            {"nobody", Services.PASSWORD},
            {"disabled", Services.PASSWORD},
            {"unprefixed", Services.PASSWORD}
        }) {
            lines.add(outcome(mvc, login));
        }
        lines.addAll(context.getBean(Observed.class).events);
        return lines;
    }

    /** A stored hash without a prefix is an exception of Spring's, which must stay the same one. */
    private static String outcome(MockMvc mvc, String[] login) {
        try {
            return described(mvc.perform(get("/hello").with(httpBasic(login[0], login[1])))
                    .andReturn()
                    .getResponse());
        } catch (Exception e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    private static String described(MockHttpServletResponse response) throws Exception {
        return response.getStatus() + " " + response.getErrorMessage() + " " + response.getContentAsString() + " "
                + response.getHeaderNames().stream()
                        .map(name -> name + "=" + response.getHeaders(name))
                        .sorted()
                        .toList();
    }

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        final List<String> events = new ArrayList<>();

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }

        @EventListener
        void on(AbstractAuthenticationEvent event) {
            events.add(event.getClass().getName() + " of "
                    + Objects.toString(event.getAuthentication().getName()));
        }
    }

    /** Else the cache would measure that so cheap a hash is not worth it, sooner or later, as the machine is busy or not. */
    @Configuration(proxyBeanMethods = false)
    static class CheapHashesAreCached {

        @Bean
        CredentialCache cache() {
            return CredentialCache.with(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO));
        }
    }
}
