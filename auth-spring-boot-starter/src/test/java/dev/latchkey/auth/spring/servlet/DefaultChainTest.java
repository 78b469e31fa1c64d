package dev.latchkey.auth.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.RevocableKey;
import dev.latchkey.auth.spring.Services;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/** A service without a filter chain: Boot's default chain, and Latchkey's additions. */
class DefaultChainTest {

    private final WebApplicationContextRunner service = Services.web().withUserConfiguration(Services.Accounts.class);
    private final WebApplicationContextRunner withKey =
            service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    @Test
    void tokensAndLogin_workWithoutALineOfCode() {
        withKey.withPropertyValues("latchkey.login.enabled=true").run(context -> {
            MockMvc mvc = Services.mvc(context);
            String token = Services.tokenFrom(mvc.perform(
                    post("/auth/token").contentType("application/json").content(Services.LOGIN)));
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                    .andExpect(status().isOk());
            mvc.perform(get("/hello").header("Authorization", "Bearer " + token + "x"))
                    .andExpect(status().isUnauthorized());
        });
    }

    /** A proxy may set such a field from its own cookie, and such a request can be forged. */
    @Test
    void credentialsOfAPlugin_needACsrfToken_unlessTheChainExemptsTheirField() {
        WebApplicationContextRunner keys = service.withBean(RevocableKey.class);
        keys.run(context -> Services.mvc(context)
                .perform(post("/hello").header("X-Key", "good"))
                .andExpect(status().isForbidden()));
        keys.withUserConfiguration(ExemptField.class).run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(post("/hello").header("X-Key", "good")).andExpect(status().isMethodNotAllowed());
            mvc.perform(post("/hello").with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isForbidden());
        });
    }

    @Test
    void bootsOwnRules_stay() {
        withKey.run(context -> {
            MockMvc mvc = Services.mvc(context);
            mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isOk());
            mvc.perform(get("/hello"))
                    .andExpect(status().isUnauthorized())
                    .andExpect(header().stringValues(
                                    "WWW-Authenticate", "Basic realm=\"Realm\"", "Bearer realm=\"Realm\""));
            mvc.perform(get("/hello").accept("text/html")).andExpect(status().isFound());
            mvc.perform(post("/hello").with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isForbidden());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"latchkey.plugins=users", "latchkey.plugins[0]=users"})
    void pluginNames_areSomethingToAdd(String property) {
        service.withPropertyValues(property)
                .run(context -> assertThat(context).hasSingleBean(BootChainPostProcessor.class));
    }

    @Test
    void nothingToAdd_addsNothing() {
        service.run(context -> assertThat(context).doesNotHaveBean(BootChainPostProcessor.class));
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnChain.class, OwnChainOfBootsName.class})
    void chainOfTheService_isLeftAlone(Class<?> configuration) {
        withKey.withUserConfiguration(configuration)
                .run(context -> Services.mvc(context)
                        .perform(get("/hello").header("Authorization", "Bearer " + tokenOf(context)))
                        .andExpect(status().isUnauthorized()));
        withKey.run(context -> Services.mvc(context)
                .perform(get("/hello").header("Authorization", "Bearer " + tokenOf(context)))
                .andExpect(status().isOk()));
    }

    private static String tokenOf(ApplicationContext context) {
        return context.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnChainOfBootsName {

        @Bean
        SecurityFilterChain defaultSecurityFilterChain(HttpSecurity http) throws Exception {
            return new OwnChain().api(http);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ExemptField {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(rules -> rules.anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers(request -> request.getHeader("X-Key") != null))
                    .httpBasic(withDefaults())
                    .with(LatchkeyHttpConfigurer.latchkey(), withDefaults())
                    .build();
        }
    }
}
