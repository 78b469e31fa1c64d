package dev.latchkey.auth.cache;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {

    private static final Duration NANO = Duration.ofNanos(1);
    private static final Duration IDLE = Duration.ofMinutes(10);
    private static final Duration ABSOLUTE = Duration.ofMinutes(60);
    private static final long HOUR = RotatingKey.INTERVAL.toNanos();

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

    // Where each hit counts as a write, an entry in steady use never expires.
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
        assertThat(cache.stats().misses()).as("the first and the last").isEqualTo(2);
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
    void siblingsUse_prolongsNoOtherEntry() {
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

    // The clock of a JVM may begin anywhere, also below zero and shortly before its end.
    @ParameterizedTest
    @ValueSource(longs = {0, -36_000_000_000_000L, Long.MAX_VALUE - 1_800_000_000_000L})
    void keys_changeOnTheHourAndThePreviousOneStaysForOne(long start) {
        RotatingKey key = new RotatingKey(start);
        RotatingKey.Keys first = key.at(start + HOUR - 1);
        assertThat(first.previous()).isNull();
        RotatingKey.Keys second = key.at(start + HOUR);
        assertThat(second.previous()).isSameAs(first.current());
        assertThat(second.current()).isNotSameAs(first.current());
        assertThat(key.at(start + 2 * HOUR - 1)).isSameAs(second);
        assertThat(key.at(start + 2 * HOUR).previous()).isSameAs(second.current());
        assertThat(key.at(start + 9 * HOUR).previous()).isNull();
        assertThat(key.at(start + 11 * HOUR).previous()).as("a whole hour late").isNull();
    }

    @Test
    void keys_changeOnAnyThread() throws Exception {
        RotatingKey key = new RotatingKey(0);
        RotatingKey.Keys second = key.at(HOUR);
        assertThat(CompletableFuture.supplyAsync(() -> key.at(2 * HOUR)).get(30, SECONDS))
                .isNotSameAs(second);
        key.wipe(2 * HOUR);
        assertThat(CompletableFuture.supplyAsync(() -> key.at(3 * HOUR)).get(30, SECONDS))
                .isNotSameAs(second);
    }

    @Test
    void wipedKeys_findNothingAnyMore() {
        RotatingKey key = new RotatingKey(0);
        RotatingKey.Keys keys = key.at(HOUR);
        byte[] message = {1, 2, 3};
        CredentialDigest current = keys.current().digest(message);
        CredentialDigest previous = Objects.requireNonNull(keys.previous()).digest(message);
        key.wipe(HOUR);
        assertThat(keys.current().digest(message)).isNotEqualTo(current);
        assertThat(keys.previous().digest(message)).isNotEqualTo(previous);
        assertThat(key.at(HOUR).previous()).isNull();
        assertThat(key.at(HOUR).current()).isNotSameAs(keys.current());
    }

    @Test
    void clockThatOverflows_endsEntriesAtTheirTime() {
        time.pass(Duration.ofNanos(Long.MAX_VALUE).minusMinutes(30));
        CachingPasswordEncoder late = CachingPasswordEncoder.around(fake, time.cache());
        late.matches("right", hash);
        for (int minute = 9; minute < 60; minute += 9) {
            time.pass(Duration.ofMinutes(9));
            late.matches("right", hash);
            assertThat(fake.checks).as("minute " + minute).hasValue(1);
        }
        time.pass(Duration.ofMinutes(9));
        late.matches("right", hash);
        assertThat(fake.checks).as("minute 63").hasValue(2);
    }

    @Test
    void idleExpiryOfASecond_isProlongedByUse() {
        CachingPasswordEncoder brief = CachingPasswordEncoder.around(
                fake, time.cache(CredentialCacheSettings.defaults().withIdleExpiry(Duration.ofSeconds(1))));
        brief.matches("right", hash);
        for (int i = 0; i < 10; i++) {
            time.pass(Duration.ofMillis(600));
            brief.matches("right", hash);
        }
        assertThat(fake.checks).hasValue(1);
    }

    @Test
    void settingsAtTheEndsOfTheirRanges_areTaken() {
        CredentialCacheSettings most = CredentialCacheSettings.defaults()
                .withIdleExpiry(Duration.ofHours(24))
                .withAbsoluteExpiry(Duration.ofHours(24))
                .withJitter(0.5)
                .withMaximumSize(100_000_000)
                .withMaximumPerStoredHash(64)
                .withFastLoad(Duration.ofHours(24));
        assertThat(most)
                .isEqualTo(new CredentialCacheSettings(
                        Duration.ofHours(24), Duration.ofHours(24), 0.5, 100_000_000, 64, Duration.ofHours(24)));
        assertThat(most.withMaximumSize(1).withMaximumPerStoredHash(1).maximumSize())
                .isEqualTo(1);
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
