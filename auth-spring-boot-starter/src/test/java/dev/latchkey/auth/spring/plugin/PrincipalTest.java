package dev.latchkey.auth.spring.plugin;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.Services;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The bearer of a token, in each way that a Spring developer asks. */
class PrincipalTest {

    @Test
    void bearer_isSeenInEachWayThatSpringOffers() {
        withService(context -> {
            MockMvc mvc = Services.mvc(context);
            Map.of(
                            "/principal", "alice",
                            "/expression", "alice",
                            "/authentication", "alice [ROLE_USER]",
                            "/java", "alice",
                            "/holder", "alice",
                            "/for-users", "for users")
                    .forEach((path, body) -> assertThatAnswer(mvc, path, tokenOf(context, "ROLE_USER"))
                            .isEqualTo("200 " + body));
            mvc.perform(get("/async").header("Authorization", "Bearer " + tokenOf(context, "ROLE_USER")))
                    .andExpect(result -> assertThat(result.getAsyncResult()).isEqualTo("alice"));
        });
    }

    @Test
    void methodSecurity_refusesWhoLacksTheAuthority_asAnInsufficientScope() {
        withService(context -> perform(Services.mvc(context), "/for-admins", tokenOf(context, "ROLE_USER"))
                .andExpect(status().isForbidden())
                .andExpect(header().string("WWW-Authenticate", "Bearer realm=\"Realm\", error=\"insufficient_scope\""))
                .andExpect(content().contentType("application/problem+json")));
        withService(context -> perform(Services.mvc(context), "/for-admins", tokenOf(context, "ROLE_ADMIN"))
                .andExpect(status().isOk()));
    }

    @Test
    void token_holdsNoPassword_andNoSessionIsBegun() {
        withService(context -> perform(Services.mvc(context), "/credentials", tokenOf(context, "ROLE_USER"))
                .andExpect(content().string(""))
                .andExpect(header().doesNotExist("Set-Cookie"))
                .andExpect(result ->
                        assertThat(result.getRequest().getSession(false)).isNull()));
    }

    @Test
    void pluginsOfSpringAndOfTheService_areOneChainInOrder() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, SpringProviders.class)
                .withPropertyValues("latchkey.plugins=testing,dao")
                .run(context -> {
                    var chain = context.getBean(AuthChain.class);
                    assertThat(chain.pluginNames()).containsExactly("testing", "dao");
                    assertThat(chain.authenticate(new PasswordCredentials("alice", Secret.of(Services.PASSWORD))))
                            .isInstanceOfSatisfying(
                                    Authenticated.class,
                                    login -> assertThat(login.subject().id()).isEqualTo("dao:alice"));
                });
    }

    private static void withService(ContextConsumer<AssertableWebApplicationContext> use) {
        Services.web()
                .withUserConfiguration(Services.Accounts.class, Api.class, Questions.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(use);
    }

    private static AbstractStringAssert<?> assertThatAnswer(MockMvc mvc, String path, String token) {
        try {
            var response = perform(mvc, path, token).andReturn().getResponse();
            return assertThat(response.getStatus() + " " + response.getContentAsString());
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }

    private static ResultActions perform(MockMvc mvc, String path, String token) throws Exception {
        return mvc.perform(get(path).header("Authorization", "Bearer " + token));
    }

    private static String tokenOf(AssertableWebApplicationContext context, String role) {
        return context.getBean(JwtSigner.class)
                .sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with("authorities", List.of(role)));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Api {

        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(latchkey(), withDefaults())
                    .build();
        }
    }

    @RestController
    static class Questions {

        @GetMapping("/principal")
        String principal(@AuthenticationPrincipal Subject subject) {
            return subject.id();
        }

        @GetMapping("/expression")
        String expression(@AuthenticationPrincipal(expression = "id") String id) {
            return id;
        }

        @GetMapping("/authentication")
        String authentication(Authentication authentication) {
            return authentication.getName() + " " + authentication.getAuthorities();
        }

        @GetMapping("/java")
        String java(Principal principal) {
            return principal.getName();
        }

        @GetMapping("/holder")
        String holder() {
            return SecurityContextHolder.getContext().getAuthentication().getName();
        }

        @GetMapping("/async")
        Callable<String> async() {
            return this::holder;
        }

        @GetMapping("/credentials")
        String credentials(Authentication authentication) {
            return String.valueOf(authentication.getCredentials());
        }

        @PreAuthorize("hasRole('USER') and authentication.name == 'alice' and principal.id == 'alice'")
        @GetMapping("/for-users")
        String forUsers() {
            return "for users";
        }

        @PreAuthorize("hasRole('ADMIN')")
        @GetMapping("/for-admins")
        String forAdmins() {
            return "for admins";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SpringProviders {

        @Bean
        AuthPlugin dao(InMemoryUserDetailsManager accounts) {
            DaoAuthenticationProvider provider = new DaoAuthenticationProvider(accounts);
            provider.setPasswordEncoder(new BCryptPasswordEncoder(4));
            return SpringAuthenticationPlugin.of("dao", provider);
        }

        @Bean
        AuthPlugin testing() {
            return SpringAuthenticationPlugin.of("testing", new TestingAuthenticationProvider());
        }
    }
}
