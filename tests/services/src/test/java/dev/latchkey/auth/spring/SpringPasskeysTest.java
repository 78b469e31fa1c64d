package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** {@code http.webAuthn()} beside {@code latchkey()}: a passkey logs in as its owner for good. */
class SpringPasskeysTest {

    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final String REGISTER = "/webauthn/register";
    private static final String OPTIONS = REGISTER + "/options";
    private static final String REFUSAL = "The credentials do not allow this.";

    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class, Chain.class)
            .withBean("keys", AuthPlugin.class, KeyPlugin::new)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);

    private void run(Action action) {
        service.run(action::in);
    }

    private interface Action {
        void in(ApplicationContext context) throws Exception;
    }

    @Test
    void owner_begins() {
        run(context -> {
            String owner = token(context, JwtClaims.forSubject("alice", LIFETIME));
            assertThat(answer(context, post(OPTIONS), HttpHeaders.AUTHORIZATION, owner))
                    .contains("\"challenge\"");
        });
    }

    @Test
    void accountThatActs_isForbidden() {
        run(context -> {
            JwtClaims acting = JwtClaims.forSubject("alice", LIFETIME).with("act", Map.of("sub", "support"));
            assertForbidden(context, HttpHeaders.AUTHORIZATION, token(context, acting));
        });
    }

    @Test
    void key_isForbidden() {
        run(context -> assertForbidden(context, "X-Key", "good"));
    }

    /** Anyone may have the name of a local account at a provider. */
    @Test
    void accountOfAProvider_isForbidden_unlessItsNamesAreShared() {
        DefaultOAuth2User user = new DefaultOAuth2User(List.of(), Map.of("login", "alice"), "login");
        Authentication atProvider = new OAuth2AuthenticationToken(user, List.of(), "hub");
        run(context -> assertThat(answer(context, post(OPTIONS).with(authentication(atProvider))))
                .contains(REFUSAL));
        service.withPropertyValues("latchkey.shared-subjects=users,oauth2:hub")
                .run(context -> assertThat(answer(context, post(OPTIONS).with(authentication(atProvider))))
                        .contains("\"challenge\""));
    }

    @Test
    void callerWithoutALogin_isAskedForOne() {
        run(context -> assertThat(Services.mvc(context)
                        .perform(post(REGISTER))
                        .andReturn()
                        .getResponse()
                        .getStatus())
                .isEqualTo(401));
    }

    private static void assertForbidden(ApplicationContext context, String header, String value) throws Exception {
        assertThat(answer(context, get("/hello"), header, value)).startsWith("Hello");
        for (MockHttpServletRequestBuilder request :
                List.of(post(OPTIONS), post(REGISTER), delete(REGISTER + "/abc"))) {
            assertThat(answer(context, request, header, value)).contains(REFUSAL);
        }
    }

    private static String token(ApplicationContext context, JwtClaims claims) {
        return "Bearer "
                + context.getBean(JwtSigner.class).sign(claims.withId("1").with("authorities", List.of("ROLE_USER")));
    }

    private static String answer(
            ApplicationContext context, MockHttpServletRequestBuilder request, String header, String value)
            throws Exception {
        return answer(context, request.header(header, value));
    }

    private static String answer(ApplicationContext context, MockHttpServletRequestBuilder request) throws Exception {
        return Services.mvc(context).perform(request).andReturn().getResponse().getContentAsString();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        /** After {@code latchkey()}, because the order must not matter. A key has no CSRF token. */
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.with(latchkey(), withDefaults())
                    .webAuthn(passkeys ->
                            passkeys.rpName("Shop").rpId("localhost").allowedOrigins("http://localhost"))
                    .csrf(csrf -> csrf.ignoringRequestMatchers("/webauthn/**"))
                    .authorizeHttpRequests(rules -> rules.anyRequest().authenticated())
                    .build();
        }
    }
}
