package dev.latchkey.auth.guard.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    private static final long HALF_OF_ALL = 1L << 62;

    @Test
    void onlySomeTime_isPositive() {
        Duration shortest = Duration.ofNanos(1);
        Durations.requirePositive(shortest, "The wait");
        for (Duration none : new Duration[] {Duration.ZERO, shortest.negated()}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Durations.requirePositive(none, "The wait"))
                    .withMessage("The wait must be positive, got " + none);
        }
    }

    @Test
    void durationBeyondALong_isTheNearestPossible() {
        assertThat(Durations.saturatedNanos(Duration.ofDays(365_000))).isEqualTo(Long.MAX_VALUE);
        assertThat(Durations.saturatedNanos(Duration.ofNanos(Long.MAX_VALUE - 1)))
                .isEqualTo(Long.MAX_VALUE - 1);
        assertThat(Durations.saturatedNanos(Duration.ZERO)).isZero();
        assertThat(Durations.saturatedNanos(Duration.ofNanos(-1))).isZero();
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0", "PT0.000000001S, 1", "PT1S, 1", "PT1.5S, 2", "PT-0.5S, 0", "PT-3S, 0"})
    void partOfASecond_countsAsAWholeOne(Duration duration, long seconds) {
        assertThat(Durations.secondsRoundedUp(duration)).isEqualTo(seconds);
    }

    @Test
    void productThatFits_isScaledExactly() {
        assertThat(Durations.scaled(7, 3, 2)).isEqualTo(10);
        assertThat(Durations.scaled(0, 3, 2)).isZero();
        assertThat(Durations.scaled(Long.MAX_VALUE - 1, 1, 1)).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void productThatDoesNotFit_isScaledAllTheSame() {
        assertThat(Durations.scaled(HALF_OF_ALL, 2, 4)).isEqualTo(HALF_OF_ALL / 2);
        assertThat(Durations.scaled(HALF_OF_ALL, 4, 8)).isEqualTo(HALF_OF_ALL / 2);
        assertThat(Durations.scaled(HALF_OF_ALL, HALF_OF_ALL, 1)).isEqualTo(Long.MAX_VALUE);
    }
}
