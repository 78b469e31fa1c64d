package dev.latchkey.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.load.scenario.Effort;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void quickTakesAtMostTwelveMinutes_andFullAtMostAnHour_onAnIdleMachine() {
        assertThat(Main.minutes(Effort.QUICK)).isBetween(8.0, 12.0);
        assertThat(Main.minutes(Effort.FULL)).isBetween(40.0, 60.0);
    }
}
