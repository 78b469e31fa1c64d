package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatsTest {

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);

    @Test
    void newCache_hasCountedNothing() {
        CredentialCacheStats stats = cache.stats();
        assertThat(stats.hits() + stats.misses() + stats.flights() + stats.size())
                .isZero();
        assertThat(stats.hashCores()).isZero();
        assertThat(stats.meanLoadTime()).isZero();
    }

    @Test
    void missesAreCountedByCause() {
        encoder.matches("right", fake.encode("right"));
        encoder.matches("wrong", fake.encode("right"));
        time.pass(Duration.ofMinutes(10).minusNanos(1));
        encoder.matches("wrong", fake.encode("right"));
        encoder.matches("right", fake.encode("right"));
        CredentialCacheStats stats = cache.stats();
        assertThat(stats.missesAbsent()).as("no entry, then none any more").isEqualTo(3);
        assertThat(stats.missesOther()).isEqualTo(1);
        assertThat(stats.misses()).isEqualTo(4);
        assertThat(stats.flights()).isEqualTo(4);
        assertThat(stats.stored()).isEqualTo(2);
        assertThat(stats.evictedByExpiry()).isEqualTo(1);
    }

    @Test
    void entryThatIsOverWhileAnotherOfItsHashIsInUse_isCountedAsExpired() {
        CachingPasswordEncoder second = CachingPasswordEncoder.around(fake, cache);
        CachingPasswordEncoder third = CachingPasswordEncoder.around(fake, cache);
        encoder.matches("right", fake.encode("right"));
        time.pass(Duration.ofMinutes(5));
        second.matches("right", fake.encode("right"));
        time.pass(Duration.ofMinutes(5));
        second.matches("right", fake.encode("right"));
        assertThat(cache.stats().evictedByExpiry()).isZero();
        third.matches("right", fake.encode("right"));
        assertThat(cache.stats().evictedByExpiry()).isEqualTo(1);
        assertThat(cache.stats().size()).isEqualTo(2);
    }

    @Test
    void hits_saveTheMeanLoadTimeEach() {
        encoder.matches("right", fake.encode("right"));
        for (int i = 0; i < 9; i++) {
            encoder.matches("right", fake.encode("right"));
        }
        CredentialCacheStats stats = cache.stats();
        assertThat(stats.hits()).isEqualTo(9);
        assertThat(stats.meanLoadTime()).isEqualTo(FakeEncoder.COST);
        assertThat(stats.longestLoadTime()).isEqualTo(FakeEncoder.COST);
        assertThat(stats.estimatedHashTimeSaved()).isEqualTo(FakeEncoder.COST.multipliedBy(9));
    }

    // 900 active accounts x 80 ms / 3600 s = 0.02 cores.
    @Test
    void hashCores_areAccountsTimesHashTimeByExpiry() {
        for (int i = 0; i < 900; i++) {
            encoder.matches("p" + i, fake.encode("p" + i));
        }
        assertThat(cache.stats().hashCores()).isCloseTo(0.02, within(1e-9));
        assertThat(cache.stats().maximumSize()).isEqualTo(10_000);
        assertThat(cache.settings().maximumPerStoredHash()).isEqualTo(8);
    }
}
