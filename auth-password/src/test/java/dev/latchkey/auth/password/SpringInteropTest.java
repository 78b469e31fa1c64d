package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder.BCryptVersion;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.scrypt.SCryptPasswordEncoder;

/** A table may be shared with, or come from, an application on Spring's own encoders; run on both lines of Spring Security. */
@Tag("long")
class SpringInteropTest {

    private static final String PASSWORD = "pässwörd-€-😀";

    private static final PasswordEncoders ENCODERS = Cheap.encoders();

    private static final PasswordEncoder SPRING = PasswordEncoderFactories.createDelegatingPasswordEncoder();

    static Stream<Map.Entry<String, PasswordEncoder>> springsEncoders() {
        return Stream.of(
                Map.entry("pbkdf2", oldPbkdf2()),
                Map.entry("bcrypt", new BCryptPasswordEncoder(4)),
                Map.entry("bcrypt", new BCryptPasswordEncoder(BCryptVersion.$2Y, 4)),
                Map.entry("bcrypt", new BCryptPasswordEncoder(BCryptVersion.$2B, 4)),
                Map.entry("argon2@SpringSecurity_v5_8", new Argon2PasswordEncoder(16, 32, 1, 64, 2)),
                Map.entry("argon2", new Argon2PasswordEncoder(16, 32, 1, 64, 3)),
                Map.entry("scrypt@SpringSecurity_v5_8", new SCryptPasswordEncoder(16, 8, 1, 32, 16)),
                Map.entry("scrypt", new SCryptPasswordEncoder(16, 8, 2, 32, 64)),
                Map.entry("pbkdf2@SpringSecurity_v5_8", Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8()));
    }

    /** Deprecated because of weakness; rows with such hashes exist. */
    @SuppressWarnings("deprecation")
    private static PasswordEncoder oldPbkdf2() {
        return Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_5();
    }

    @ParameterizedTest
    @MethodSource("springsEncoders")
    void hashesOfSpring_areRead(Map.Entry<String, PasswordEncoder> spring) {
        PasswordEncoder delegating =
                new DelegatingPasswordEncoder(spring.getKey(), Map.of(spring.getKey(), spring.getValue()));
        String stored = delegating.encode(PASSWORD);

        assertThat(ENCODERS.matches(PASSWORD, stored)).as(stored).isTrue();
        assertThat(ENCODERS.matches(PASSWORD + "x", stored)).isFalse();
        assertThat(ENCODERS.identify(stored).algorithm()).isNotEqualTo("unknown");
    }

    @Test
    void theseTestsRun_onTheLineOfSpringSecurityThatTheBuildNames() {
        String jar = PasswordEncoder.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();

        assertThat(jar).contains("spring-security-crypto-" + System.getProperty("spring-security.version", ""));
    }

    static List<HashSpec> specsThatSpringReads() {
        return List.of(Cheap.bcrypt(), Cheap.argon2id(), Cheap.scrypt());
    }

    @ParameterizedTest
    @MethodSource("specsThatSpringReads")
    void hashes_areReadBySpring(HashSpec spec) {
        String stored = ENCODERS.withDefault(spec).encode(PASSWORD);

        assertThat(SPRING.matches(PASSWORD, stored)).as(stored).isTrue();
        assertThat(SPRING.matches(PASSWORD + "x", stored)).isFalse();
    }

    @Test
    void pbkdf2WrittenHere_isReadBySpring_onceItsIdIsMappedToThisEncoder() {
        PasswordEncoders pbkdf2 = ENCODERS.withDefault(Cheap.pbkdf2());
        PasswordEncoder delegating = new DelegatingPasswordEncoder(
                "bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(4), "pbkdf2-sha256", pbkdf2));

        assertThat(delegating.matches(PASSWORD, pbkdf2.encode(PASSWORD))).isTrue();
    }
}
