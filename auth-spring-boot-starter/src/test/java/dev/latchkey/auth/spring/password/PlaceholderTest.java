package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A text in place of a hash, of an account without a password. */
class PlaceholderTest {

    private static final String STORED = "$hash$of$right";

    private final CountingEncoder encoder = new CountingEncoder();

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "!", "*LK*", "twelve chars"})
    void placeholder_costsAHash(@Nullable String placeholder) {
        try (CredentialCache cache = CredentialCache.create()) {
            LoginEncoder login = LoginEncoder.around(encoder, cache, null, null, null);
            assertThat(login.matches("right", STORED)).isTrue();
            assertThat(login.matches("wrong", placeholder)).isFalse();
            assertThat(encoder.hashes).isEqualTo(2);
            assertThat(login.matchesUncached("wrong", placeholder)).isFalse();
            assertThat(encoder.hashes).isEqualTo(3);
            assertThat(login.matchesAnew("wrong", placeholder)).isFalse();
            assertThat(encoder.hashes).isEqualTo(4);
        }
    }

    /** Spring Boot's default encoder throws for a text without an id of an encoder. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "!", "*LK*", "N/A", "{none}", "{bcrypt}", "{bcrypt}!"})
    void placeholderThatTheDefaultEncoderRejectsByAnException_costsAHash(@Nullable String placeholder) {
        DelegatingPasswordEncoder ofBoot = new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", encoder));
        LoginEncoder login = LoginEncoder.around(ofBoot, null, null, null, null);
        assertThat(login.matches("right", "{bcrypt}" + STORED)).isTrue();
        assertThat(encoder.hashes).isEqualTo(1);
        assertThat(login.matches("wrong", placeholder)).isFalse();
        assertThat(encoder.hashes).isEqualTo(2);
        assertThat(login.matchesUncached("wrong", placeholder)).isFalse();
        assertThat(encoder.hashes).isEqualTo(3);
        assertThat(login.matchesAnew("wrong", placeholder)).isFalse();
        assertThat(encoder.hashes).isEqualTo(4);
    }

    @Test
    void shortestHash_costsOneHash() {
        String des = "$1234567890ab";
        LoginEncoder login = LoginEncoder.around(encoder, null, null, null, null);
        assertThat(des).hasSize(13);
        assertThat(login.matches("wrong", des)).isFalse();
        assertThat(encoder.hashes).isEqualTo(1);
    }

    @Test
    void plainPassword_costsNoHash() {
        LoginEncoder login = LoginEncoder.around(encoder, null, null, null, null);
        assertThat(login.matches("wrong", "{noop}right")).isFalse();
        assertThat(encoder.hashes).isZero();
    }

    /** Rejects a text that is no hash at once, as Spring Security's encoders do. */
    private static final class CountingEncoder implements PasswordEncoder {

        private int hashes;

        @Override
        public String encode(CharSequence raw) {
            hashes++;
            return "$hash$of$" + raw;
        }

        @Override
        public boolean matches(CharSequence raw, @Nullable String stored) {
            if (stored == null || !stored.startsWith("$")) {
                return false;
            }
            hashes++;
            return stored.equals("$hash$of$" + raw);
        }
    }
}
