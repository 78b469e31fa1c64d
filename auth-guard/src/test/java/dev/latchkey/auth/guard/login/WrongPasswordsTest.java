package dev.latchkey.auth.guard.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The memory of a wrong password does not reveal equal passwords. */
class WrongPasswordsTest {

    private static final BucketKey ANN = new BucketKey(1, 2);
    private static final BucketKey BOB = new BucketKey(1, 3);

    private final WrongPasswords wrong = inAProcess();

    private static WrongPasswords inAProcess() {
        return new WrongPasswords(Duration.ofDays(2), new ManualTime());
    }

    private BucketKey digest(BucketKey pair, String password) {
        return requireNonNull(wrong.digest(pair, password));
    }

    @Test
    void onePassword_hasOneDigestForEachPair_inEachProcess() {
        assertThat(digest(ANN, "old")).isEqualTo(digest(ANN, "old")).isNotEqualTo(digest(BOB, "old"));
        assertThat(inAProcess().digest(ANN, "old")).isNotEqualTo(digest(ANN, "old"));
    }

    @Test
    void passwordsWhoseCharactersDifferInTheUpperByteAlone_areTwo() {
        assertThat(digest(ANN, "pass")).isNotEqualTo(digest(ANN, "p\u0161ss"));
    }

    @Test
    void digestsThatDifferInOneHalf_areTwo() {
        BucketKey kept = new BucketKey(5, 6);
        wrong.remember(ANN, kept);
        assertThat(wrong.has(ANN, kept)).isTrue();
        assertThat(wrong.has(ANN, new BucketKey(5, 7))).isFalse();
        assertThat(wrong.has(ANN, new BucketKey(4, 6))).isFalse();
        assertThat(wrong.has(BOB, kept)).isFalse();
    }
}
