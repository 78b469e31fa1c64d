package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault that is planted breaks a promise in the history of some seed. */
class PlantedFaultsTest {

    /** So many seeds find the rarest of them with room to spare. */
    private static final int SEEDS = 20_000;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void fault_isFound(Fault fault) {
        try (Histories histories = new Histories()) {
            String found = "";
            for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
                found = histories.broken(seed, fault);
            }
            System.out.println(
                    "PLANTED " + fault + " " + found.lines().findFirst().orElse("not found") + " "
                            + found.lines()
                                    .filter(line -> line.startsWith("BROKEN"))
                                    .findFirst()
                                    .orElse(""));
            assertThat(found).contains("BROKEN");
        }
    }
}
