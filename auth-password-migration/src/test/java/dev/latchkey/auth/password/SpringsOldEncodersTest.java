package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Rows of encoders that Spring Security deprecates. */
class SpringsOldEncodersTest {

    private static final String PASSWORD = "p\u00e4ssw\u00f6rd";

    @SuppressWarnings("deprecation")
    private static Stream<Map.Entry<String, PasswordEncoder>> oldEncoders() {
        return Stream.of(
                Map.entry("ldap", new org.springframework.security.crypto.password.LdapShaPasswordEncoder()),
                Map.entry(
                        "SHA-1",
                        new org.springframework.security.crypto.password.MessageDigestPasswordEncoder("SHA-1")),
                Map.entry(
                        "SHA-256",
                        new org.springframework.security.crypto.password.MessageDigestPasswordEncoder("SHA-256")),
                Map.entry("sha256", new org.springframework.security.crypto.password.StandardPasswordEncoder()));
    }

    @ParameterizedTest
    @MethodSource("oldEncoders")
    void hashesOfSpringsOldEncoders_areRead(Map.Entry<String, PasswordEncoder> spring) {
        String stored = new DelegatingPasswordEncoder(spring.getKey(), Map.of(spring.getKey(), spring.getValue()))
                .encode(PASSWORD);

        assertThat(Foreign.encoders().matches(PASSWORD, stored)).as(stored).isTrue();
        assertThat(Foreign.encoders().matches(PASSWORD + "x", stored)).isFalse();
        assertThat(Foreign.encoders().identify(stored).algorithm()).isNotEqualTo("unknown");
    }
}
