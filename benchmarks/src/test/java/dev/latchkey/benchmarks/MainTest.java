package dev.latchkey.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.load.scenario.Effort;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void quickTakesAtMostTwelveMinutes_andFullAtMostAnHour_onAnIdleMachine() {
        // Newer compilers have a longer warm-up.
        assertThat(Main.minutes(Effort.QUICK)).isBetween(8.0, Runtime.version().feature() > 17 ? 18.0 : 12.0);
        assertThat(Main.minutes(Effort.FULL)).isBetween(40.0, 60.0);
    }
}
