package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault that is planted breaks a promise in the history of some seed. */
class PlantedFaultsTest {

    /** Without the seeds that do not concern the fault. */
    private static final int SEEDS = 100_000;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void fault_isFound(Fault fault) {
        try (Histories histories = new Histories()) {
            String found = histories.firstBroken(fault, SEEDS);
            System.out.println(fault + ": " + found.lines().findFirst().orElse("not found"));
            assertThat(found).contains("BROKEN");
        }
    }
}
