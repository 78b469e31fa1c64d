package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.benchmarks.load.process.Cost;
import org.junit.jupiter.api.Test;

class ReadingsTest {

    private static Readings<Cost> of(double... micros) {
        Readings<Cost> costs = new Readings<>();
        for (double each : micros) {
            costs.add(new Cost(each, 10 * each));
        }
        return costs;
    }

    @Test
    void medianAndLeast_areOfTheRounds() {
        Readings<Cost> costs = of(30, 10, 20);
        assertThat(costs.median(Cost::micros)).isEqualTo(20);
        assertThat(costs.least(Cost::micros)).isEqualTo(10);
        assertThat(costs.median(Cost::bytes)).isEqualTo(200);
    }

    @Test
    void comparison_isOfNeighboursInTime() {
        // The machine was five times as slow in the second round, for both.
        Readings<Cost> mine = of(110, 550, 110);
        Readings<Cost> other = of(100, 500, 100);
        assertThat(mine.times(other, Cost::micros)).isEqualTo(1.1);
        assertThat(mine.more(other, Cost::bytes)).isEqualTo(100);
    }

    @Test
    void roundThatMetOneOfThemOnly_movesTheComparisonByAFewRanksAtMost() {
        assertThat(of(100, 300, 102).times(of(100, 100, 100), Cost::micros)).isEqualTo(1.02);
    }

    @Test
    void differentNumbersOfRounds_areNotCompared() {
        assertThatIllegalStateException().isThrownBy(() -> of(1, 2).times(of(1), Cost::micros));
    }
}
