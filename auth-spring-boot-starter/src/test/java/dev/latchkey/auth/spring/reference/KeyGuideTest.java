package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.token.SigningKeyRotation;
import dev.latchkey.auth.spring.token.SigningKeyRotation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** {@code how-to/rotate-a-key.md}, followed on one node and on two, and by its command. */
class KeyGuideTest {

    /** The file is looked at when the test says so. */
    private static final String BY_HAND = "latchkey.jwt.reload-interval=0s";

    private static final Pattern COMMAND =
            Pattern.compile("curl http://localhost:8080(\\S+) .*'Content-Type: (\\S+)' -d '(.*)'");

    @TempDir
    Path folder;

    @Test
    void newKey_signs_andTokensOfTheOneBeforeStayGood() throws Exception {
        try (Guide guide = Guide.of("how-to/rotate-a-key.md", folder)) {
            beginWithOneKey(guide);
            nodeOf(guide).run(context -> {
                String before = sign(context);
                Files.writeString(guide.secret("jwt.key"), newKey());
                assertThat(look(context)).isEqualTo(Outcome.ROTATED);
                assertThat(look(context)).isEqualTo(Outcome.UNCHANGED);
                assertThat(accepts(context, before)).isTrue();
                assertThat(accepts(context, sign(context))).isTrue();
            });
        }
    }

    @Test
    void stepsForSeveralNodes_leaveNoMomentInWhichOneRefusesWhatAnotherSigned() throws Exception {
        try (Guide guide = Guide.of("how-to/rotate-a-key.md", folder)) {
            beginWithOneKey(guide);
            String current = Files.readString(guide.secret("jwt.key"));
            nodeOf(guide)
                    .run(one -> nodeOf(guide).run(two -> {
                        String old = sign(one);
                        assertThat(keysOf(one)).containsExactly("signs");
                        String next = newKey();
                        Files.writeString(guide.secret("next-jwt.key"), next);
                        look(one);
                        assertThat(keysOf(one)).containsExactly("signs", "verifies");
                        assertThat(accepts(one, sign(two))).isTrue();
                        assertThat(accepts(two, sign(one))).isTrue();
                        look(two);
                        Files.writeString(guide.secret("previous-jwt.key"), current);
                        Files.writeString(guide.secret("jwt.key"), next);
                        look(one);
                        assertThat(keysOf(one)).containsExactly("signs", "verifies");
                        assertThat(accepts(two, sign(one))).isTrue();
                        assertThat(accepts(one, sign(two))).isTrue();
                        nodeOf(guide).run(started -> {
                            assertThat(keysOf(started)).containsExactly("signs", "verifies");
                            assertThat(accepts(started, old)).isTrue();
                            assertThat(accepts(started, sign(two))).isTrue();
                            assertThat(accepts(two, sign(started))).isTrue();
                        });
                        look(two);
                        assertThat(accepts(one, sign(two))).isTrue();
                        assertThat(accepts(two, old)).isTrue();
                    }));
        }
    }

    @Test
    void secondRotation_isAsTheFirst() throws Exception {
        try (Guide guide = Guide.of("how-to/rotate-a-key.md", folder)) {
            beginWithOneKey(guide);
            nodeOf(guide).run(node -> {
                for (int i = 0; i < 2; i++) {
                    String old = sign(node);
                    String current = Files.readString(guide.secret("jwt.key"));
                    String next = newKey();
                    Files.writeString(guide.secret("next-jwt.key"), next);
                    look(node);
                    assertThat(Files.readString(guide.secret("jwt.key"))).isEqualTo(current);
                    Files.writeString(guide.secret("previous-jwt.key"), current);
                    Files.writeString(guide.secret("jwt.key"), next);
                    assertThat(look(node)).isEqualTo(Outcome.ROTATED);
                    assertThat(accepts(node, old)).isTrue();
                }
            });
        }
    }

    @Test
    void commandOfThePage_rotates_withItsProperties_whileATokenIsShown() throws Exception {
        try (Guide guide = Guide.of("how-to/rotate-a-key.md", folder)) {
            beginWithOneKey(guide);
            Matcher command = COMMAND.matcher(guide.commands(0));
            assertThat(command.find()).isTrue();
            Actuators.web()
                    // As SpringApplication does; a runner by itself would not take the property as the page writes it.
                    .withInitializer(
                            node -> node.getEnvironment().setConversionService(new ApplicationConversionService()))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues(guide.properties(0))
                    .withPropertyValues(BY_HAND)
                    .run(node -> {
                        Files.writeString(guide.secret("jwt.key"), newKey());
                        Services.mvc(node)
                                .perform(post(command.group(1))
                                        .header("Authorization", "Bearer " + sign(node))
                                        .contentType(command.group(2))
                                        .content(command.group(3)))
                                .andExpect(status().isOk())
                                .andExpect(content().string("{\"rotation\":\"rotated\"}"));
                        guide.shows("{\"rotation\":\"rotated\"}");
                    });
        }
    }

    private static void beginWithOneKey(Guide guide) throws IOException {
        Files.writeString(guide.secret("jwt.key"), newKey());
        Files.copy(guide.secret("jwt.key"), guide.secret("next-jwt.key"));
        Files.copy(guide.secret("jwt.key"), guide.secret("previous-jwt.key"));
    }

    private static WebApplicationContextRunner nodeOf(Guide guide) throws IOException {
        return Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues(guide.configuration(0))
                .withPropertyValues(BY_HAND);
    }

    private static Outcome look(ApplicationContext node) {
        return node.getBean(SigningKeyRotation.class).reload();
    }

    /** The keys as the endpoint of the actuator tells them. */
    private static List<String> keysOf(ApplicationContext node) {
        KeyRing ring = node.getBean(RotatingKeys.class).ring();
        return ring.distinctKeys().stream()
                .map(entry -> entry.key() == ring.signingKey() ? "signs" : "verifies")
                .toList();
    }

    private static String sign(ApplicationContext node) {
        return node.getBean(JwtSigner.class).sign(JwtClaims.forSubject("alice", Duration.ofMinutes(10)));
    }

    private static boolean accepts(ApplicationContext node, String token) {
        return node.getBean(JwtVerifier.class).verify(token).verified().isPresent();
    }

    /** As {@code openssl rand -base64 32} writes the key. */
    private static String newKey() {
        byte[] key = new byte[HmacAlgorithm.HS256.minKeyBytes()];
        new SecureRandom().nextBytes(key);
        return Base64.getEncoder().encodeToString(key) + "\n";
    }
}
