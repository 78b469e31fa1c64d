package dev.latchkey.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.latchkey.benchmarks.report.Chart.Scale;
import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {

    @Test
    void linearAxis_beginsAtZeroAndEndsAtARoundNumber() {
        Axis axis = Axis.around(List.of(3.0, 87.0), Scale.LINEAR, 0, 100);
        assertThat(axis.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(axis.at(50)).isCloseTo(50, within(1e-9));
    }

    @Test
    void logarithmicAxis_hasItsTicksAtPowersOfTen() {
        Axis axis = Axis.around(List.of(5.3, 13_000.0), Scale.LOGARITHMIC, 0, 500);
        assertThat(axis.ticks()).hasSize(6).startsWith(1.0, 10.0).endsWith(100_000.0);
        assertThat(axis.at(100)).isCloseTo(200, within(1e-6));
    }

    @Test
    void valuesThatArePowersOfTen_needNoRoomBeyondThem() {
        assertThat(Axis.around(List.of(100.0, 1e6), Scale.LOGARITHMIC, 0, 1).ticks())
                .containsExactly(100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0);
    }

    @Test
    void axisMayRunBackwards_asTheVerticalOneDoes() {
        Axis axis = Axis.around(List.of(10.0), Scale.LINEAR, 238, 22);
        assertThat(axis.at(0)).isEqualTo(238);
        assertThat(axis.at(10)).isCloseTo(22, within(1e-9));
    }

    @Test
    void zeroOnALogarithmicAxis_isDrawnAtItsEdge() {
        assertThat(Axis.around(List.of(0.0, 50.0), Scale.LOGARITHMIC, 7, 100).at(0))
                .isEqualTo(7);
    }

    @Test
    void nothingButZeros_isDrawnNonetheless() {
        assertThat(Axis.around(List.of(0.0), Scale.LINEAR, 0, 100).at(0)).isZero();
        assertThat(Axis.around(List.of(), Scale.LOGARITHMIC, 0, 100).ticks()).isNotEmpty();
    }

    @Test
    void labels_areShort() {
        assertThat(List.of(0.0, 0.5, 20.0, 1000.0, 20_000.0, 2_000_000.0).stream()
                        .map(Axis::label))
                .containsExactly("0", "0.5", "20", "1000", "20k", "2M");
    }
}
