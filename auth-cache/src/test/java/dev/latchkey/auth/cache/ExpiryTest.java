package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {

    private static final Duration NANO = Duration.ofNanos(1);
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final Duration ABSOLUTE = Duration.ofMinutes(60);

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
    private final String hash = fake.encode("right");

    @Test
    void entryIdleForAlmostTenMinutes_isAHit() {
        assertThat(isHit()).isFalse();
        time.pass(IDLE.minus(NANO));
        assertThat(isHit()).isTrue();
    }

    @Test
    void entryIdleForTenMinutes_isAMiss() {
        isHit();
        time.pass(IDLE);
        assertThat(isHit()).isFalse();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    // C11: where each hit counts as a write, an entry in steady use never expires.
    @Test
    void entryInSteadyUse_endsAtTheAbsoluteExpiry() {
        isHit();
        for (int minute = 5; minute < 60; minute += 5) {
            time.pass(Duration.ofMinutes(5));
            assertThat(isHit()).as("minute " + minute).isTrue();
        }
        time.pass(Duration.ofMinutes(5).minus(NANO));
        assertThat(isHit()).as("the last nanosecond of the hour").isTrue();
        time.pass(NANO);
        assertThat(isHit()).as("the hour is over").isFalse();
        assertThat(cache.stats().missesExpired()).isEqualTo(1);
        assertThat(cache.stats().evictedByExpiry()).isEqualTo(1);
    }

    @Test
    void expiredEntry_isHashedAgainOnceAndThenHits() {
        isHit();
        time.pass(ABSOLUTE);
        assertThat(isHit()).isFalse();
        assertThat(isHit()).isTrue();
    }

    @Test
    void siblingsUse_prolongsNobody() {
        CachingPasswordEncoder second = CachingPasswordEncoder.around(fake, cache);
        encoder.matches("right", hash);
        second.matches("right", hash);
        fake.checks.set(0);
        time.pass(IDLE.dividedBy(2));
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(fake.checks).hasValue(0);
        time.pass(IDLE.dividedBy(2));
        assertThat(second.matches("right", hash)).isTrue();
        assertThat(fake.checks).as("the second was idle, the first was not").hasValue(1);
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(fake.checks).hasValue(1);
    }

    @Test
    void jitter_shortensByUpToItsShareAndNeverProlongs() {
        CredentialCacheSettings settings =
                CredentialCacheSettings.defaults().withIdleExpiry(ABSOLUTE).withJitter(0.1);
        CredentialStore store = new CredentialStore(
                settings, time, com.github.benmanes.caffeine.cache.Scheduler.disabledScheduler(), new Counters());
        List<Long> lifetimes = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            lifetimes.add(store.lifetime());
        }
        long whole = ABSOLUTE.toNanos();
        assertThat(lifetimes).allMatch(nanos -> nanos <= whole && nanos >= whole * 0.9);
        assertThat(lifetimes.stream().filter(nanos -> nanos < whole * 0.95).count())
                .isBetween(4_500L, 5_500L);
    }

    @Test
    void idleLongerThanAbsolute_isDecidedByAbsolute() {
        CredentialCacheSettings settings = CredentialCacheSettings.defaults()
                .withAbsoluteExpiry(Duration.ofMinutes(5))
                .withJitter(0);
        CachingPasswordEncoder brief = CachingPasswordEncoder.around(fake, time.cache(settings));
        brief.matches("right", hash);
        time.pass(Duration.ofMinutes(5));
        brief.matches("right", hash);
        assertThat(fake.checks).hasValue(2);
    }

    // Hourly, and the previous key still answers: steady use crosses any number of rotations.
    @Test
    void rotatedKey_keepsEntriesInUse() {
        CredentialCacheSettings day = CredentialCacheSettings.defaults()
                .withAbsoluteExpiry(Duration.ofHours(24))
                .withIdleExpiry(Duration.ofHours(2))
                .withJitter(0);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, time.cache(day));
        encoder.matches("right", hash);
        for (int i = 0; i < 23; i++) {
            time.pass(Duration.ofMinutes(59));
            assertThat(encoder.matches("right", hash)).isTrue();
            assertThat(encoder.matches("wrong", hash)).isFalse();
        }
        assertThat(fake.checks).as("one right, 23 wrong").hasValue(24);
        assertThat(encoder.cache().stats().size())
                .as("one entry, under one key")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {120, 121, 180, 6_000})
    void entryNotUsedForTwoRotations_isAMiss(long minutes) {
        CredentialCacheSettings day = CredentialCacheSettings.defaults()
                .withAbsoluteExpiry(Duration.ofHours(24))
                .withIdleExpiry(Duration.ofHours(24))
                .withJitter(0);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, time.cache(day));
        encoder.matches("right", hash);
        time.pass(Duration.ofMinutes(minutes));
        encoder.matches("right", hash);
        assertThat(fake.checks).hasValue(2);
    }

    @Test
    void keys_changeOnTheHourAndThePreviousOneStaysForOne() {
        RotatingKey key = new RotatingKey(0);
        RotatingKey.Keys first = key.at(RotatingKey.INTERVAL.toNanos() - 1);
        assertThat(first.previous()).isNull();
        RotatingKey.Keys second = key.at(RotatingKey.INTERVAL.toNanos());
        assertThat(second.previous()).isSameAs(first.current());
        assertThat(second.current()).isNotSameAs(first.current());
        assertThat(key.at(2 * RotatingKey.INTERVAL.toNanos() - 1)).isSameAs(second);
        assertThat(key.at(2 * RotatingKey.INTERVAL.toNanos()).previous()).isSameAs(second.current());
        assertThat(key.at(9 * RotatingKey.INTERVAL.toNanos()).previous()).isNull();
    }

    @Test
    void settingsOutOfRange_areRefusedByName() {
        CredentialCacheSettings defaults = CredentialCacheSettings.defaults();
        assertThatThrownBy(() -> defaults.withIdleExpiry(Duration.ZERO)).hasMessageContaining("idle expiry");
        assertThatThrownBy(() -> defaults.withAbsoluteExpiry(Duration.ofHours(25)))
                .hasMessageContaining("PT24H");
        assertThatThrownBy(() -> defaults.withJitter(-0.1)).hasMessageContaining("jitter");
        assertThatThrownBy(() -> defaults.withJitter(Double.NaN)).hasMessageContaining("jitter");
        assertThatThrownBy(() -> defaults.withMaximumSize(0)).hasMessageContaining("maximum size");
        assertThatThrownBy(() -> defaults.withMaximumPerStoredHash(65)).hasMessageContaining("per stored hash");
        assertThatThrownBy(() -> defaults.withFastLoad(NANO.negated())).hasMessageContaining("fast load");
    }

    private boolean isHit() {
        int before = fake.checks.get();
        assertThat(encoder.matches("right", hash)).isTrue();
        return fake.checks.get() == before;
    }
}
