package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    // Couchbase's sync_gateway dropped its whole map when that was full.
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
    void oneEntryPerStoredHash_isTheNewest() {
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

    @Test
    void workingSetBeyondTheSize_isWarnedOfOnceInTenMinutes() {
        CredentialCache cache = time.cache(settings.withMaximumSize(100));
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        List<String> warnings = warningsWhile(() -> {
            for (int i = 0; i < 400; i++) {
                encoder.matches("p" + i, fake.encode("p" + i));
            }
        });
        assertThat(warnings).hasSize(1).first().asString().contains("too small", "maximum size is 100");
        assertThat(warningsWhile(() -> {
                    time.pass(ThrashWarning.SILENCE);
                    for (int i = 0; i < 400; i++) {
                        encoder.matches("q" + i, fake.encode("q" + i));
                    }
                }))
                .hasSize(1);
    }

    // The clock of a JVM may begin anywhere.
    @ParameterizedTest
    @ValueSource(longs = {0, -36_000_000_000_000L, Long.MAX_VALUE - 30_000_000_000L})
    void tenthOfTheSizeWithinAMinute_isWarnedOf_fromAnyThread(long start) throws Exception {
        LongAdder evicted = new LongAdder();
        ThrashWarning warning = new ThrashWarning(settings.withMaximumSize(100), evicted, start);
        long window = ThrashWarning.WINDOW.toNanos();
        assertThat(warningsAfter(9, evicted, () -> warning.check(start + window - 1)))
                .as("less than a tenth")
                .isEmpty();
        assertThat(warningsAfter(0, evicted, () -> warning.check(start + window)))
                .as("another minute begins")
                .isEmpty();
        assertThat(warningsAfter(9, evicted, () -> warning.check(start + window + 1)))
                .isEmpty();
        assertThat(warningsAfter(
                        1,
                        evicted,
                        () -> CompletableFuture.runAsync(() -> warning.check(start + window + 2))
                                .join()))
                .as("a tenth, on another thread")
                .hasSize(1);
        long quiet = start + window + 2 + ThrashWarning.SILENCE.toNanos();
        assertThat(warningsAfter(10, evicted, () -> warning.check(quiet - 1))).isEmpty();
        assertThat(warningsAfter(0, evicted, () -> warning.check(quiet))).isEmpty();
        assertThat(warningsAfter(10, evicted, () -> warning.check(quiet)))
                .as("ten minutes later")
                .hasSize(1);
    }

    private static List<String> warningsAfter(int evictions, LongAdder evicted, Runnable check) {
        evicted.add(evictions);
        return warningsWhile(check);
    }

    @Test
    void fewEvictions_areNotWarnedOf() {
        CredentialCache cache = time.cache(settings.withMaximumSize(100));
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
        assertThat(warningsWhile(() -> {
                    for (int i = 0; i < 400; i++) {
                        time.pass(Duration.ofSeconds(10));
                        encoder.matches("p" + i, fake.encode("p" + i));
                    }
                }))
                .isEmpty();
    }

    private static List<String> warningsWhile(Runnable action) {
        List<String> warnings = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                warnings.add(new java.util.logging.SimpleFormatter().formatMessage(logged));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(CredentialCache.class.getName());
        logger.addHandler(handler);
        try {
            action.run();
        } finally {
            logger.removeHandler(handler);
        }
        return warnings;
    }

    /** Takes every password that begins with the right one, as BCrypt does beyond its 72 bytes. */
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
