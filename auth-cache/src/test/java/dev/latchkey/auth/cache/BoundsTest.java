package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BoundsTest {

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCacheSettings settings = CredentialCacheSettings.defaults()
            .withJitter(0)
            .withAbsoluteExpiry(Duration.ofHours(24))
            .withIdleExpiry(Duration.ofHours(24));

    @Test
    void entries_neverExceedTheMaximumSize() {
        CredentialCache cache = time.cache(settings.withMaximumSize(100));
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        for (int i = 0; i < 1_000; i++) {
            encoder.matches("p" + i, fake.encode("p" + i));
        }
        CredentialCacheStats stats = cache.stats();
        assertThat(stats.size()).isEqualTo(100);
        assertThat(stats.stored()).isEqualTo(1_000);
        assertThat(stats.evictedBySize()).isEqualTo(900);
    }

    // Couchbase's sync_gateway dropped the whole full map.
    @Test
    void entryTooMany_costsOneOther() {
        CredentialCache cache = time.cache(settings.withMaximumSize(100));
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        for (int i = 0; i <= 100; i++) {
            encoder.matches("p" + i, fake.encode("p" + i));
        }
        assertThat(cache.stats().size()).isEqualTo(100);
        assertThat(cache.stats().evictedBySize()).isEqualTo(1);
    }

    // BCrypt ignores bytes after the 72nd, so one account has any number of right passwords.
    @Test
    void storedHash_hasAtMostEightEntries() {
        CredentialCache cache = time.cache(settings);
        FakeEncoder truncating = new Truncating(time);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(truncating, cache);
        String hash = truncating.encode("right");
        for (int i = 0; i < 100; i++) {
            assertThat(encoder.matches("right" + i, hash)).isTrue();
        }
        assertThat(cache.stats().size()).isEqualTo(8);
        assertThat(cache.stats().evictedByBound()).isEqualTo(92);
        truncating.checks.set(0);
        for (int i = 92; i < 100; i++) {
            assertThat(encoder.matches("right" + i, hash)).isTrue();
        }
        assertThat(truncating.checks).as("the newest eight").hasValue(0);
        encoder.matches("right91", hash);
        assertThat(truncating.checks).hasValue(1);
    }

    @Test
    void storedHash_hasOneEntry_theNewest() {
        CredentialCache cache = time.cache(settings.withMaximumPerStoredHash(1));
        FakeEncoder truncating = new Truncating(time);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(truncating, cache);
        String hash = truncating.encode("right");
        encoder.matches("right1", hash);
        encoder.matches("right2", hash);
        encoder.matches("right2", hash);
        assertThat(truncating.checks).hasValue(2);
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void entryUnderANewKey_makesRoomForNothing() {
        CredentialCache cache = time.cache(settings.withMaximumPerStoredHash(1));
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        encoder.matches("right", fake.encode("right"));
        time.pass(RotatingKey.INTERVAL);
        encoder.matches("right", fake.encode("right"));
        assertThat(fake.checks).hasValue(1);
        assertThat(cache.stats().evictedByBound()).isZero();
        assertThat(cache.stats().evictedByExpiry()).isZero();
    }

    // A right password that the encoder takes for the same is another credential: never a hit by the other's entry.
    @Test
    void equivalentPasswords_areEntriesOfTheirOwn() {
        FakeEncoder truncating = new Truncating(time);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(truncating, time.cache(settings));
        String hash = truncating.encode("right");
        encoder.matches("right1", hash);
        encoder.matches("right2", hash);
        assertThat(truncating.checks).hasValue(2);
    }

    /** Accepts each password with the right beginning, as BCrypt does beyond 72 bytes. */
    private static final class Truncating extends FakeEncoder {

        Truncating(TestTime time) {
            super(time);
        }

        @Override
        public String encode(CharSequence plain) {
            return "fake$" + plain.subSequence(0, 5);
        }
    }
}
