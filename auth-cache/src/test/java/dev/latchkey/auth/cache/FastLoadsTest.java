package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

    // A cold JVM makes the first check of any encoder slow; the first fast one tells, and hits end with it.
    @Test
    void encoderThatWarmsUp_isBypassedFromItsFirstFastSuccessOn() {
        timed.next(Duration.ofMillis(3));
        encoder.matches("{noop}p", "{noop}p");
        timed.next(Duration.ofNanos(500));
        encoder.matches("{noop}q", "{noop}q");
        for (int i = 0; i < 3; i++) {
            timed.next(Duration.ofNanos(500));
            encoder.matches("{noop}p", "{noop}p");
        }
        assertThat(timed.checks).isEqualTo(5);
        assertThat(cache.stats().bypassed()).isEqualTo(3);
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
    void kindsAreJudgedApart() {
        timed.next(Duration.ZERO);
        encoder.matches("{noop}p", "{noop}p");
        timed.next(FakeEncoder.COST);
        encoder.matches("{bcrypt}p", "{bcrypt}p");
        encoder.matches("{bcrypt}p", "{bcrypt}p");
        timed.next(FakeEncoder.COST);
        encoder.matches("plain", "plain");
        encoder.matches("plain", "plain");
        assertThat(timed.checks).isEqualTo(3);
        assertThat(cache.stats().size()).isEqualTo(2);
    }

    @Test
    void hashOfNoKind_takesNoOtherOutOfTheCache() {
        FastLoads loads = new FastLoads(20_000);
        assertThat(loads.isWorthStoring("5f4dcc3b5aa765d61d8327deb882cf99", 1)).isFalse();
        for (String other : List.of(
                "", "5f4dcc3b5aa765d61d8327deb882cf99", "{bcrypt}x", "{", "{never closed", "$2a$10$abc", "x{noop}")) {
            assertThat(loads.isFast(other)).as(other).isFalse();
        }
    }

    @Test
    void cheapCost_leavesTheDearOneOfItsAlgorithmInTheCache() {
        FastLoads loads = new FastLoads(20_000);
        for (String cheap : List.of(
                "$2a$04$saltAndHash",
                "{bcrypt}$2y$04$saltAndHash",
                "$6$rounds=1000$salt$hash",
                "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA",
                "$e0101$c2FsdA==$aGFzaA==",
                "$2b$09$saltAndHash",
                "{a-name-of-20-letters}$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA",
                "{noop}password",
                "{MD5}{salt}5f4dcc3b")) {
            assertThat(loads.isWorthStoring(cheap, 1)).isFalse();
            assertThat(loads.isFast(cheap.replace("alt", "ALT").replace("ash", "ASH")))
                    .as(cheap)
                    .isTrue();
        }
        for (String dear : List.of(
                "$2a$10$saltAndHash",
                "{bcrypt}$2y$12$saltAndHash",
                "$6$rounds=500000$salt$hash",
                "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
                "$e1008$c2FsdA==$aGFzaA==",
                "$2b$19$saltAndHash",
                "{a-name-of-20-letters}$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
                "{noop}$2a$10$saltAndHash",
                "{pbkdf2}5f4dcc3b")) {
            assertThat(loads.isFast(dear)).as(dear).isFalse();
        }
    }

    @Test
    void lengthsOfWhatTellsAKind_haveLimits() {
        assertThat(isOneKind("{" + "i".repeat(31) + "}salt", "{" + "i".repeat(31) + "}other"))
                .isTrue();
        assertThat(isOneKind("{" + "i".repeat(32) + "}salt", "{" + "i".repeat(32) + "}other"))
                .isFalse();
        assertThat(isOneKind("$" + "i".repeat(30) + "$salt", "$" + "i".repeat(30) + "$other"))
                .isTrue();
        assertThat(isOneKind("$" + "i".repeat(31) + "$salt", "$" + "i".repeat(31) + "$other"))
                .isFalse();
        assertThat(isOneKind("{id}$" + "i".repeat(31) + "$salt", "{id}other")).isTrue();
        assertThat(isOneKind("$x$" + "1".repeat(64) + "$salt", "$x$salt")).isFalse();
        assertThat(isOneKind("$x$" + "1".repeat(65) + "$salt", "$x$salt")).isTrue();
    }

    @Test
    void emptyFieldAndPaddedSalt_areNoCosts() {
        assertThat(isOneKind("$x$$salt", "$x$other")).isTrue();
        assertThat(isOneKind("$x$c2FsdHM=$hash", "$x$b3RoZXI=$hash")).isTrue();
        assertThat(isOneKind("$e0101$c2FsdA==$aGFzaA==", "$e0101$b3RoZQ==$aGFzaA=="))
                .isTrue();
        assertThat(isOneKind("$x$=5$salt", "$x$=6$salt")).isTrue();
    }

    /** As Spring Security writes it, with a salt of 16 bytes. */
    @Test
    void scryptOfOneCost_isOneKind_whateverTheSalt() {
        assertThat(isOneKind(
                        "{scrypt}$e0101$8eAAzqpR3S6KYSWmBUXnKw==$4ViVtxJ9T0yDbKSJmyNvQ6hBvGmzYyFYCyK9hEEyJfc=",
                        "{scrypt}$e0101$uTfNy2ZpBwVhYlzq3kG5xA==$Xq5jS0T2N6DnTgf5sYb0l9tqvVQv5t8mYx3JcVdGm1k="))
                .isTrue();
    }

    private static boolean isOneKind(String one, String other) {
        FastLoads loads = new FastLoads(20_000);
        assertThat(loads.isWorthStoring(one, 1)).isFalse();
        return loads.isFast(other);
    }

    @Test
    void kindsWithoutEnd_areForgottenNotKept() {
        FastLoads loads = new FastLoads(20_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(loads.isWorthStoring("{id" + i + "}x", 1)).isFalse();
        }
        assertThat(loads.isFast("{id0}y")).isTrue();
        assertThat(loads.isFast("{id63}y")).isTrue();
        assertThat(loads.isFast("{id64}y")).isFalse();
        assertThat(loads.isFast("{id999}y")).isFalse();
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

    /** Takes the times it is told, one after another. */
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
