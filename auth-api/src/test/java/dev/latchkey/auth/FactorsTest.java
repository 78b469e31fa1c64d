package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FactorsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:10Z");
    private static final Duration MOST = Duration.ofMinutes(5);

    @Test
    void factors_areFresh_untilTheTimeHasPassed() {
        assertThat(areFresh(NOW.minus(MOST).plusNanos(1))).isTrue();
        assertThat(areFresh(NOW.minus(MOST))).isFalse();
    }

    /** The clock of another node may be ahead, but no check of the future is a recent check. */
    @Test
    void factorsOfTheFuture_areFresh_withinTheSameTime() {
        assertThat(areFresh(NOW.plus(MOST).minusNanos(1))).isTrue();
        assertThat(areFresh(NOW.plus(MOST))).isFalse();
    }

    @Test
    void factorsOfAnExtremeTime_areNotFresh() {
        assertThat(areFresh(Instant.MAX)).isFalse();
        assertThat(areFresh(Instant.MIN)).isFalse();
    }

    @Test
    void factorsWithoutAWantedMethod_areNotFresh() {
        assertThat(Factors.of(NOW, "pwd").areFresh(NOW, MOST, "pwd", "otp")).isFalse();
        assertThat(Factors.of(NOW, "pwd", "otp").areFresh(NOW, MOST, "pwd", "otp"))
                .isTrue();
    }

    private static boolean areFresh(Instant at) {
        return Factors.of(at, "pwd").areFresh(NOW, MOST);
    }
}
