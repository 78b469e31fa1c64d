package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import dev.latchkey.auth.spring.Services;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code how-to/from-….md}, followed with tokens that another library has signed with the same key. */
class MigrationGuidesTest {

    @TempDir
    Path folder;

    @Test
    void codeForJjwt_signsAndVerifies_alsoWhatAnotherLibrarySigned() throws Exception {
        try (Guide guide = Guide.of("how-to/from-jjwt.md", folder)) {
            Constructor<?> make = guide.type("Tokens").getDeclaredConstructor(String.class);
            Method create = guide.type("Tokens").getDeclaredMethod("create", String.class, List.class);
            Method nameIn = guide.type("Tokens").getDeclaredMethod("nameIn", String.class);
            make.setAccessible(true);
            create.setAccessible(true);
            nameIn.setAccessible(true);
            Object tokens = make.newInstance(Services.KEY);
            String token = (String) create.invoke(tokens, "alice", List.of("ROLE_USER"));
            guide.shows(
                    "tokens.nameIn(tokens.create(\"alice\", List.of(\"ROLE_USER\")))" + nameIn.invoke(tokens, token));
            guide.shows("tokens.nameIn(\"no token\")" + nameIn.invoke(tokens, "no token"));
            assertThat(nameIn.invoke(tokens, tokenOfBefore())).isEqualTo("alice");
        }
    }

    @Test
    void tokenOfAJwtUtil_keepsItsRoles_andNewOnesHaveThemToo() throws Exception {
        try (Guide guide = Guide.of("how-to/from-a-jwt-util.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.web()
                    .withClassLoader(guide.loader())
                    .withBean(Roles.class)
                    .withUserConfiguration(Services.Accounts.class, guide.type("RolesForOthers"))
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        mvc.perform(get("/roles").header("Authorization", "Bearer " + tokenOfBefore()))
                                .andExpect(content().string("alice [ROLE_USER]"));
                        guide.shows(helloTo(mvc, tokenOfBefore()));
                        String later = Services.tokenFrom(mvc.perform(post("/auth/token")
                                .contentType("application/json")
                                .content(Services.LOGIN)));
                        mvc.perform(get("/roles").header("Authorization", "Bearer " + later))
                                .andExpect(content().string("alice [ROLE_USER]"));
                    });
        }
    }

    @Test
    void resourceServer_takesTokensOfNimbus_andLogsIn() throws Exception {
        try (Guide guide = Guide.of("how-to/from-a-shared-secret.md", folder)) {
            Files.writeString(guide.secret("jwt.key"), Services.KEY);
            Services.resourceServerWithoutAKey()
                    .withUserConfiguration(Services.Accounts.class)
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        guide.shows(helloTo(mvc, tokenOfBefore()));
                        mvc.perform(post("/auth/token")
                                        .contentType("application/json")
                                        .content(Services.LOGIN))
                                .andExpect(status().isOk());
                    });
        }
    }

    @Test
    void longKeyWithTheShorterAlgorithm_isNamed() throws Exception {
        byte[] key = new byte[48];
        new Random(7).nextBytes(key);
        Path file = Files.writeString(
                folder.resolve("long.key"), Base64.getEncoder().encodeToString(key));
        try (Guide guide = Guide.of("how-to/from-a-shared-secret.md", folder)) {
            Services.resourceServerWithoutAKey()
                    .withClassLoader(guide.loader())
                    .withUserConfiguration(Services.Accounts.class)
                    .withPropertyValues(guide.configuration(1))
                    .withPropertyValues("latchkey.jwt.secret=file:" + file)
                    .run(context -> Services.mvc(context)
                            .perform(get("/whoami").header("Authorization", "Bearer " + tokenOf(key)))
                            .andExpect(status().isOk()));
        }
    }

    private static String helloTo(MockMvc mvc, String token) throws Exception {
        return mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    private static String tokenOfBefore() {
        return tokenOf(Base64.getDecoder().decode(Services.KEY));
    }

    /** By Nimbus, as Spring's encoder signs with a secret. */
    private static String tokenOf(byte[] key) {
        JwtClaimsSet claims = JwtClaimsSet.builder()
                .subject("alice")
                .issuedAt(Instant.now().minusSeconds(60))
                .expiresAt(Instant.now().plusSeconds(3600))
                .claim("roles", List.of("ROLE_USER"))
                .build();
        return new NimbusJwtEncoder(new ImmutableSecret<>(key))
                .encode(JwtEncoderParameters.from(
                        JwsHeader.with(MacAlgorithm.HS256).build(), claims))
                .getTokenValue();
    }

    @RestController
    static class Roles {

        @GetMapping("/roles")
        String roles(Authentication login) {
            return login.getName() + " "
                    + login.getAuthorities().stream()
                            .map(Object::toString)
                            .filter(authority -> !authority.startsWith("FACTOR_"))
                            .toList();
        }
    }
}
