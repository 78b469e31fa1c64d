package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What limits may be written, at both sides of each boundary. */
class BucketPolicyTest {

    @Test
    void windowHasATokenAndANanosecondForEach() {
        assertThat(LimitWindow.of(1, Duration.ofNanos(1)).tokens()).isEqualTo(1);
        assertThat(LimitWindow.of(1_000, Duration.ofNanos(1_000)).tokens()).isEqualTo(1_000);
        refused(() -> LimitWindow.of(0, Duration.ofMinutes(1)), "at least 1 token, got 0");
        refused(() -> LimitWindow.of(1_001, Duration.ofNanos(1_000)), "one token per nanosecond");
        refused(() -> LimitWindow.of(1, Duration.ZERO), "must be positive");
        refused(() -> LimitWindow.of(1, Duration.ofNanos(Long.MAX_VALUE)), "at most 292 years");
        assertThat(LimitWindow.of(1, Duration.ofNanos(Long.MAX_VALUE - 1)).tokens())
                .isEqualTo(1);
    }

    @Test
    void rate_allowsAHundredthOfASecondAtOnce_andAtLeastOne() {
        assertThat(BucketRate.perSecond(1_000)).isEqualTo(new BucketRate(1_000, Duration.ofSeconds(1), 10));
        assertThat(BucketRate.perSecond(99).burst()).isEqualTo(1);
        assertThat(BucketRate.perSecond(99).withBurst(5)).isEqualTo(new BucketRate(99, Duration.ofSeconds(1), 5));
        refused(() -> BucketRate.perSecond(1).withBurst(0), "at least 1 token, got 0");
        refused(() -> new BucketRate(0, Duration.ofSeconds(1), 1), "at least 1 token, got 0");
    }

    @Test
    void bucketOfARate_holdsItsBurst() {
        assertThat(BucketMaker.of(BucketRate.perSecond(1_000), new ManualTime())
                        .make()
                        .getAvailableTokens())
                .isEqualTo(10);
    }

    @Test
    void policyIsFullAgainAfterItsLongestWindow_andReadsAsItsWindows() {
        BucketPolicy policy = BucketPolicy.of(
                "two", LimitWindow.of(150, Duration.ofDays(2)), LimitWindow.of(5, Duration.ofMinutes(5)));
        assertThat(policy.fullAgainAfter()).isEqualTo(Duration.ofDays(2));
        assertThat(policy.text()).isEqualTo("150 in PT48H, 5 in PT5M");
    }

    @Test
    void fullBucket_givesAsManyAtOnceAsItsSmallestWindow() {
        LimitWindow large = LimitWindow.of(150, Duration.ofDays(2));
        LimitWindow small = LimitWindow.of(5, Duration.ofMinutes(5));
        assertThat(BucketPolicy.of("two", large, small).atOnce()).isEqualTo(5);
        assertThat(BucketPolicy.of("two", small, large).atOnce()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a b", "a_b", "a.b"})
    void nameOfAnotherForm_isRefused(String name) {
        refused(() -> BucketPolicy.of(name, LimitWindow.of(1, Duration.ofDays(1))), "[a-z0-9-]");
        refused(() -> BucketPolicy.of("a".repeat(65), LimitWindow.of(1, Duration.ofDays(1))), "1 to 64");
        assertThat(BucketPolicy.of("a".repeat(64), LimitWindow.of(1, Duration.ofDays(1)))
                        .name())
                .hasSize(64);
    }

    @Test
    void policyWithoutAWindow_isRefused() {
        refused(() -> BucketPolicy.of("none"), "at least one window");
    }

    private static void refused(Runnable making, String why) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
