package dev.latchkey.auth.spring.reference;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        mvc.perform(post("/login/sms").param("name", "alice").param("code", "000000"))
                                .andExpect(status().isUnauthorized());
                        String token = Services.tokenFrom(mvc.perform(
                                post("/login/sms").param("name", "alice").param("code", "135790")));
                        mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                                .andExpect(content().string("Hello alice"));
                        VerifiedJwt jwt = context.getBean(JwtVerifier.class).verifyOrThrow(token);
                        Assertions.assertThat(jwt.claims()).containsEntry("account", "alice");
                        Assertions.assertThat(Duration.between(
                                        jwt.issuedAt().orElseThrow(),
                                        jwt.expiresAt().orElseThrow()))
                                .isEqualTo(Duration.ofDays(1));
                    });
        }
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
