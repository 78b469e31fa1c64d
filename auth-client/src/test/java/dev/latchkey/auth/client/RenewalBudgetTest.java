package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How often a rejected token is dropped. */
class RenewalBudgetTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private final RenewalBudget budget = new RenewalBudget();

    private int takenAt(Instant now) {
        int taken = 0;
        while (taken < 100 && budget.take(now)) {
            taken++;
        }
        return taken;
    }

    @Test
    void fiveAtOnce_andOneMoreEveryTenSeconds() {
        assertThat(takenAt(NOON)).isEqualTo(5);
        assertThat(takenAt(NOON.plusMillis(9_999))).isZero();
        assertThat(takenAt(NOON.plusSeconds(10))).isEqualTo(1);
        assertThat(takenAt(NOON.plusSeconds(29))).isEqualTo(1);
        assertThat(takenAt(NOON.plusSeconds(30)))
                .as("ten seconds after the last one was due")
                .isEqualTo(1);
    }

    @Test
    void longRest_isFiveAgain_andNoMore() {
        assertThat(takenAt(NOON)).isEqualTo(5);
        assertThat(takenAt(NOON.plus(Duration.ofDays(10_000)))).isEqualTo(5);
    }

    @Test
    void clockThatIsSetBack_beginsToCountAnew() {
        assertThat(takenAt(NOON)).isEqualTo(5);
        Instant before = NOON.minus(Duration.ofDays(1));
        assertThat(takenAt(before)).isZero();
        assertThat(takenAt(before.plusSeconds(10))).isEqualTo(1);
    }
}
