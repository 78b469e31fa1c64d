package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

class UnknownUserWorkTest {

    private final SlowEncoder encoder = new SlowEncoder();
    private final UnknownUserWork work = new UnknownUserWork(encoder, () -> encoder.nanos);

    @Test
    void beforeTheFirstRightPassword_aHashIsMade() {
        assertThat(work.spend("x")).isFalse();
        assertThat(encoder.hashed).containsExactly("encode");
    }

    @Test
    void afterARightPassword_itsHashIsTheMeasure() {
        work.matches("10", "10");
        assertThat(spent()).isEqualTo("10");
    }

    // An invited account without a password, say, is refused in no time.
    @Test
    void hashThatNothingMatches_isNoMeasure() {
        work.matches("10", "10");
        work.matches("11", "50");
        assertThat(spent()).isEqualTo("10");
    }

    // The owner of an account with a cheap old hash could otherwise log in, and then see which names are unknown.
    @Test
    void cheaperHash_doesNotReplaceADearerOne() {
        work.matches("80", "80");
        work.matches("2", "2");
        assertThat(spent()).isEqualTo("80");
        work.matches("200", "200");
        assertThat(spent()).isEqualTo("200");
    }

    @Test
    void pauseInACheapCheck_isForgottenAtTheNextHash() {
        work.matches("80", "80");
        encoder.pause = 1_000;
        work.matches("2", "2");
        encoder.pause = 0;
        assertThat(spent()).isEqualTo("2");
        work.matches("80", "80");
        assertThat(spent()).isEqualTo("80");
    }

    @Test
    void work_isNeverAnsweredByTheCache() {
        try (CredentialCache cache = CredentialCache.create()) {
            LoginEncoder cached = LoginEncoder.around(encoder, cache, null, null, null);
            assertThat(cached.matches("10", "10")).isTrue();
            assertThat(cached.spendAHash("x")).isFalse();
            assertThat(cached.spendAHash("x")).isFalse();
            assertThat(encoder.hashed).containsExactly("10", "10", "10");
            assertThat(cache.stats().misses()).isEqualTo(1);
        }
    }

    private String spent() {
        work.spend("x");
        return encoder.hashed.get(encoder.hashed.size() - 1);
    }

    /** The stored hash is the number of nanoseconds that it takes. */
    private static final class SlowEncoder implements PasswordEncoder {

        private final List<String> hashed = new ArrayList<>();
        private long nanos;
        private long pause;

        @Override
        public String encode(CharSequence raw) {
            hashed.add("encode");
            return raw.toString();
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            hashed.add(stored);
            nanos += Long.parseLong(stored) + pause;
            return stored.contentEquals(raw);
        }
    }
}
