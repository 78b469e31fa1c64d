package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CachingPasswordEncoderTest {

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
    private final String hash = fake.encode("right");

    @Test
    void rightPassword_isHashedOnce() {
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(encoder.matches(CharBuffer.wrap("right"), hash)).isTrue();
        assertThat(fake.checks).hasValue(1);
    }

    // A dummy hash from another process, never encoded here.
    @Test
    void passwordOfTheDummy_isNeverStored_withAnyHash() {
        String dummy = fake.encode(DummyHashes.PLAIN_TEXT);
        assertThat(encoder.matches(DummyHashes.PLAIN_TEXT, dummy)).isTrue();
        assertThat(encoder.matches(DummyHashes.PLAIN_TEXT, dummy)).isTrue();
        assertThat(fake.checks).hasValue(2);
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void answerAtOnce_isThereForAHitOnly() {
        assertThat(encoder.matchesAtOnce("right", hash)).isEmpty();
        encoder.matches("right", hash);
        assertThat(encoder.matchesAtOnce("right", hash)).contains(true);
        assertThat(encoder.matchesAtOnce("wrong", hash)).isEmpty();
        assertThat(fake.checks).hasValue(1);
    }

    @Test
    void answerAtOnce_countsHitsAndNoMisses() {
        encoder.matchesAtOnce("right", hash);
        encoder.matches("right", hash);
        encoder.matchesAtOnce("right", hash);
        encoder.matchesAtOnce("wrong", hash);
        assertThat(cache.stats().hits()).isEqualTo(1);
        assertThat(cache.stats().misses()).isEqualTo(1);
    }

    @Test
    void answerAtOnce_isNotThereAfterTheExpiry() {
        encoder.matches("right", hash);
        time.pass(Duration.ofDays(1));
        assertThat(encoder.matchesAtOnce("right", hash)).isEmpty();
    }

    @Test
    void wrongPassword_isHashedEachTime() {
        for (int i = 1; i <= 3; i++) {
            assertThat(encoder.matches("wrong", hash)).isFalse();
            assertThat(fake.checks).hasValue(i);
        }
        assertThat(cache.stats().size()).isZero();
    }

    // Keyed by user name, any password would pass once one did.
    @Test
    void otherPasswords_doNotPassOnceOneDid() {
        encoder.matches("right", hash);
        for (String presented : new String[] {"", "wrong", "right ", "Right", "righ", "right\0", hash}) {
            assertThat(encoder.matches(presented, hash)).as(presented).isFalse();
        }
        assertThat(fake.checks).hasValue(8);
    }

    // A wrong password changes nothing in the entry, not even the order of eviction.
    @Test
    void wrongPassword_leavesTheEntryAlone() {
        encoder.matches("right", hash);
        for (int i = 0; i < 1_000; i++) {
            encoder.matches("wrong" + i, hash);
        }
        fake.checks.set(0);
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(fake.checks).hasValue(0);
    }

    @Test
    void wrongPassword_doesNotKeepAnEntryFromIdling() {
        encoder.matches("right", hash);
        for (int i = 0; i < 10; i++) {
            time.pass(Duration.ofMinutes(1));
            encoder.matches("wrong", hash);
        }
        assertThat(cache.stats().size()).isZero();
    }

    // The stored hash is in the key, so each node sees a change by itself, without a message.
    @Test
    void oldPassword_isRefusedOnEveryNodeAfterAChange() {
        CachingPasswordEncoder otherNode = CachingPasswordEncoder.around(fake, time.cache());
        encoder.matches("right", hash);
        otherNode.matches("right", hash);
        String changed = fake.encode("changed");
        assertThat(encoder.matches("right", changed)).isFalse();
        assertThat(otherNode.matches("right", changed)).isFalse();
        assertThat(encoder.matches("changed", changed)).isTrue();
    }

    @Test
    void twoEncoders_doNotShareEntries() {
        CachingPasswordEncoder other = CachingPasswordEncoder.around(new RefusingEncoder(), cache);
        encoder.matches("right", hash);
        assertThat(other.matches("right", hash)).isFalse();
    }

    @Test
    void encodeAndUpgrade_areTheDelegatesOwn() {
        assertThat(encoder.encode("x")).isEqualTo(fake.encode("x"));
        assertThat(encoder.upgradeEncoding("old")).isTrue();
        assertThat(encoder.upgradeEncoding("new")).isFalse();
        assertThat(encoder.delegate()).isSameAs(fake);
        assertThat(encoder.cache()).isSameAs(cache);
    }

    // A hit proves the password alone. The delegate still decides whether the hash is outdated.
    @Test
    void upgradeEncoding_isAskedAfterAHitAsAfterAMiss() {
        FakeEncoder old = new FakeEncoder(time) {
            @Override
            public String encode(CharSequence plain) {
                return "old$" + plain;
            }
        };
        CachingPasswordEncoder outdated = CachingPasswordEncoder.around(old, cache);
        outdated.matches("right", "old$right");
        assertThat(outdated.matches("right", "old$right")).isTrue();
        assertThat(old.checks).hasValue(1);
        assertThat(outdated.upgradeEncoding("old$right")).isTrue();
    }

    @Test
    void lengthsBeyondTheLimit_goToTheDelegate() {
        String longest = "p".repeat(4_096);
        String tooLong = "p".repeat(4_097);
        for (int i = 0; i < 2; i++) {
            assertThat(encoder.matches(longest, fake.encode("p".repeat(4_091)))).isFalse();
            assertThat(encoder.matches(tooLong, fake.encode(tooLong))).isTrue();
            assertThat(encoder.matches("right", tooLong)).isFalse();
        }
        assertThat(cache.stats().bypassed()).isEqualTo(4);
    }

    @Test
    void missingPasswordOrHash_isTheDelegatesToAnswer() {
        assertThat(encoder.matches("right", null)).isFalse();
        assertThat(encoder.matches(null, hash)).isFalse();
        assertThat(fake.checks).hasValue(2);
    }

    @Test
    void emptyPasswordAndHash_areCredentialsLikeAnyOther() {
        assertThat(encoder.matches("", "")).isFalse();
        assertThat(encoder.matches("", fake.encode(""))).isTrue();
        assertThat(encoder.matches("", "")).isFalse();
    }

    @Test
    void closedCache_isNoCache() {
        encoder.matches("right", hash);
        cache.close();
        cache.close();
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(fake.checks).hasValue(3);
        assertThat(cache.stats().size()).isZero();
        assertThat(cache.stats().bypassed()).isEqualTo(2);
    }

    @Test
    void closedCache_hasAnotherKey() {
        CredentialLookup before = CredentialLookup.ofPassword(1, cache.seed(), hash, "right");
        CredentialLookup after = CredentialLookup.ofPassword(1, cache.seed(), hash, "right");
        cache.find(before);
        cache.close();
        cache.find(after);
        assertThat(after.digest()).isNotEqualTo(before.digest());
    }

    @Test
    void cachedEncoder_isNotWrappedAgain() {
        assertThatThrownBy(() -> CachingPasswordEncoder.around(encoder, cache))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cached already");
    }

    private static final class RefusingEncoder implements org.springframework.security.crypto.password.PasswordEncoder {
        @Override
        public String encode(CharSequence plain) {
            return "never";
        }

        @Override
        public boolean matches(CharSequence presented, String storedHash) {
            return false;
        }
    }
}
