package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A cheap hash behind a cheap hash gains nothing. */
class FastLoadsTest {

    private static final Duration THRESHOLD = Duration.ofNanos(20_000);

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final TimedEncoder timed = new TimedEncoder();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(timed, cache);

    @Test
    void loadOfTheThreshold_isCached() {
        timed.next(THRESHOLD);
        encoder.matches("p", "p");
        encoder.matches("p", "p");
        assertThat(timed.checks).isEqualTo(1);
    }

    @Test
    void loadBelowTheThreshold_isNotCached() {
        timed.next(THRESHOLD.minusNanos(1));
        encoder.matches("p", "p");
        timed.next(Duration.ZERO);
        encoder.matches("p", "p");
        assertThat(timed.checks).isEqualTo(2);
        assertThat(cache.stats().size()).isZero();
    }

    // What a malformed stored hash is refused in says nothing about the encoder.
    @Test
    void fastRefusal_isNoSignOfAFastEncoder() {
        timed.next(Duration.ZERO);
        encoder.matches("p", "malformed");
        timed.next(FakeEncoder.COST);
        encoder.matches("p", "p");
        encoder.matches("p", "p");
        assertThat(timed.checks).isEqualTo(2);
    }

    @Test
    void zeroThreshold_cachesAll() {
        CachingPasswordEncoder all = CachingPasswordEncoder.around(
                timed, time.cache(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO)));
        timed.next(Duration.ZERO);
        all.matches("p", "p");
        all.matches("p", "p");
        assertThat(timed.checks).isEqualTo(1);
    }

    /** Takes the given times, one after another. */
    private final class TimedEncoder implements PasswordEncoder {

        private final Deque<Duration> times = new ArrayDeque<>();
        private int checks;

        void next(Duration takes) {
            times.add(takes);
        }

        @Override
        public String encode(CharSequence plain) {
            return plain.toString();
        }

        @Override
        public boolean matches(CharSequence presented, String storedHash) {
            checks++;
            time.pass(times.remove());
            return storedHash.contentEquals(presented);
        }
    }
}
