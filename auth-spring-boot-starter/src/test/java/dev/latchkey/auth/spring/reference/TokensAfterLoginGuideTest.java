package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.account.LoginControl;
import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;

/** {@code how-to/tokens-after-any-login.md}: a check of the service's own, and a customizer. */
class TokensAfterLoginGuideTest {

    @TempDir
    Path folder;

    @Test
    void codeBySms_getsTokensWithTheLifetimeAndClaimsOfTheService() throws Exception {
        try (Guide guide = Guide.of("how-to/tokens-after-any-login.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(
                            Services.Accounts.class, Chain.class, guide.type("SmsLogin"), guide.type("TokensOfTheShop"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues(guide.configuration(2))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        mvc.perform(post("/login/sms").param("name", "alice").param("code", "000000"))
                                .andExpect(status().isUnauthorized());
                        String token = Services.tokenFrom(mvc.perform(
                                post("/login/sms").param("name", "alice").param("code", "135790")));
                        mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                                .andExpect(content().string("Hello alice"));
                        VerifiedJwt jwt = context.getBean(JwtVerifier.class).verifyOrThrow(token);
                        assertThat(jwt.claims()).containsEntry("account", "alice");
                        assertThat(daysOfSessions(context)).containsExactly(1L);
                    });
        }
    }

    @Test
    void remembered_getsASessionOfThirtyDays() throws Exception {
        try (Guide guide = Guide.of("how-to/tokens-after-any-login.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class, Chain.class, guide.type("TokensOfTheShop"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues(guide.configuration(2))
                    .run(context -> {
                        guide.shows(Services.mvc(context)
                                .perform(post("/auth/token")
                                        .contentType("application/x-www-form-urlencoded")
                                        .content("username=alice&password=" + Services.PASSWORD + "&remember_me=true"))
                                .andExpect(status().isOk())
                                .andReturn()
                                .getResponse()
                                .getContentAsString());
                        assertThat(daysOfSessions(context)).containsExactly(30L);
                    });
        }
    }

    private static List<Long> daysOfSessions(ApplicationContext context) {
        return context.getBean(LoginControl.class).of("alice").stream()
                .map(session ->
                        Duration.between(session.startedAt(), session.endsAt()).toDays())
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(rules -> rules.requestMatchers("/login/sms")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }
}
