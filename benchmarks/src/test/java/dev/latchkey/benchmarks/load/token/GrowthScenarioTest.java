package dev.latchkey.benchmarks.load.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.load.token.GrowthScenario.Part;
import dev.latchkey.benchmarks.load.token.Jmh.Took;
import dev.latchkey.benchmarks.report.Section;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GrowthScenarioTest {

    private static Map<Integer, Took> costs(double one, double ten, double hundred) {
        return new TreeMap<>(Map.of(1, new Took("", one, 8), 10, new Took("", ten, 8), 100, new Took("", hundred, 8)));
    }

    @Test
    void bend_isTheFirstSizeWithHalfAsMuchAgainAsTheSmallest() {
        assertThat(GrowthScenario.bend(costs(100, 149, 200)))
                .isEqualTo("bends at 100, where a request costs 2.00 times as much");
        assertThat(GrowthScenario.bend(costs(100, 150, 200)))
                .isEqualTo("bends at 10, where a request costs 1.50 times as much");
        assertThat(GrowthScenario.bend(costs(100, 90, 149))).isEqualTo("does not bend");
    }

    @Test
    void threadsThatShareTheCores_doNotMakeAnOperationLonger() {
        // Operations a nanosecond, of all threads together.
        double rate = 0.002;
        assertThat(Took.nanos(rate, 1, 2)).isEqualTo(500);
        assertThat(Took.nanos(rate, 2, 2)).isEqualTo(1_000);
        assertThat(Took.nanos(rate, 16, 2)).isEqualTo(1_000);
    }

    @Test
    void section_hasAChartForEachPart_andTellsItsBend() {
        Section section = GrowthScenario.section(Map.of(Part.PLUGINS, costs(100, 120, 300)));
        assertThat(section.charts()).hasSize(1);
        assertThat(section.tables().get(0).rows()).hasSize(3);
        assertThat(section.notes().get(0))
                .isEqualTo("The cost beside plugins, the last decides bends at 100, where a request costs 3.00 times"
                        + " as much.");
        assertThat(section.notes().get(1)).contains("Requests beside revocations have 16,384 different tokens");
    }
}
