package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

    @Test
    void atLeast_isMetAtTheTargetAndNotBelow() {
        assertThat(Goal.atLeast("a", "", 95, 95, "%").isMet()).isTrue();
        assertThat(Goal.atLeast("a", "", 94.999, 95, "%").isMet()).isFalse();
    }

    @Test
    void atMost_isMetAtTheTargetAndNotAbove() {
        assertThat(Goal.atMost("a", "", 3, 3, "×").isMet()).isTrue();
        assertThat(Goal.atMost("a", "", 3.001, 3, "×").isMet()).isFalse();
    }

    @Test
    void noNumber_meetsNothing() {
        assertThat(Goal.atLeast("a", "", Double.NaN, 1, "").isMet()).isFalse();
        assertThat(Goal.atMost("a", "", Double.NaN, 1, "").isMet()).isFalse();
    }

    @Test
    void ratioToAYardstickOfZero_meetsNothing() {
        assertThat(Goal.atLeast("a", "", 1 / 0.0, 1, "×").isMet()).isFalse();
        assertThat(Goal.atMost("a", "", -1 / 0.0, 1, "×").isMet()).isFalse();
    }
}
