package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kinds that are seen to be fast at the same time: each is kept, and no look-up meets half of one. */
@Tag("many-threads")
class FastLoadRacesTest {

    private final Race race = new Race();

    @AfterEach
    void endThreads() {
        race.close();
    }

    @Test
    void kindsThatAreNotedTogether_areAllKept() throws Exception {
        for (int round = 0; round < Race.rounds(); round++) {
            FastLoads loads = new FastLoads(20_000);
            List<Race.Runner> runners = new ArrayList<>();
            for (int thread = 0; thread < Race.threadsOf(round); thread++) {
                String kind = "{id" + thread + "}";
                runners.add(() -> {
                    for (int i = 0; i < Race.MOST_THREADS; i++) {
                        loads.isWorthStoring(kind + "hash" + i, 1);
                        loads.isWorthStoring("{id" + i + "-of-all}hash", 1);
                        assertThat(loads.isFast(kind + "another")).isTrue();
                        assertThat(loads.isFast("{dear}hash")).isFalse();
                    }
                });
            }
            race.run(runners);
            for (int thread = 0; thread < runners.size(); thread++) {
                assertThat(loads.isFast("{id" + thread + "}hash")).isTrue();
            }
        }
    }
}
