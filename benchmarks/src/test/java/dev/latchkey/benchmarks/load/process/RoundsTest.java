package dev.latchkey.benchmarks.load.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void variant_hasEachPlaceInATurnOnce_inAsManyRoundsAsVariants() {
        List<List<String>> turns = IntStream.range(0, 3)
                .mapToObj(round -> Rounds.turn(List.of("a", "b", "c"), round))
                .toList();
        assertThat(turns).containsExactly(List.of("a", "b", "c"), List.of("b", "c", "a"), List.of("c", "a", "b"));
    }
}
