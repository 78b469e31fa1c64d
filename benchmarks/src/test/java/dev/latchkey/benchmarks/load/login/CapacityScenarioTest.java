package dev.latchkey.benchmarks.load.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.load.scenario.Effort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CapacityScenarioTest {

    @ParameterizedTest
    @EnumSource(Effort.class)
    void newcomers_areAccountsOfTheDatabase(Effort effort) {
        assertThat(CapacityScenario.firstNewcomer(effort)).isBetween(1_000L, CapacityScenario.accounts(effort) / 2);
    }
}
