package dev.latchkey.benchmarks.load.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.benchmarks.load.Tally;
import dev.latchkey.benchmarks.load.login.CapacityScenario.BareHashes;
import dev.latchkey.benchmarks.load.login.CapacityScenario.Round;
import dev.latchkey.benchmarks.load.scenario.Effort;
import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CapacityScenarioTest {

    @ParameterizedTest
    @EnumSource(Effort.class)
    void newcomers_areAccountsOfTheDatabase(Effort effort) {
        assertThat(CapacityScenario.firstNewcomer(effort)).isBetween(1_000L, CapacityScenario.accounts(effort) / 2);
    }

    @Test
    void sharesOfARound_areOfTheLoadBesideBareHashes() {
        Round round = new Round(new BareHashes(20, 1_000), inASecond(10), inASecond(900));
        assertThat(round.hashed()).isEqualTo(50);
        assertThat(round.kept()).isEqualTo(90);
    }

    private static Tally inASecond(int answers) {
        HttpStats statuses = new HttpStats();
        statuses.status_2xx = answers;
        StatisticsSnapshot second = new StatisticsSnapshot();
        second.requestCount = answers;
        second.extensions.put(HttpStats.HTTP, statuses);
        Tally tally = new Tally(() -> 1);
        tally.add(second);
        tally.lasted(1);
        return tally;
    }
}
