package dev.latchkey.benchmarks.load.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.latchkey.benchmarks.load.Tally;
import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloodRoundTest {

    private static final FloodRound ROUND =
            new FloodRound(tally(1_000, 2), tally(800, 4), 12, tally(700, 8), tally(9, 500));

    /** So many good answers in one second, each after so long. */
    private static Tally tally(int good, int millis) {
        Tally tally = new Tally(() -> 1);
        StatisticsSnapshot second = new StatisticsSnapshot();
        second.requestCount = good;
        HttpStats statuses = new HttpStats();
        statuses.status_2xx = good;
        second.extensions.put(HttpStats.HTTP, statuses);
        second.histogram.recordValue(millis * 1_000_000L);
        tally.add(second);
        tally.lasted(1);
        return tally;
    }

    @Test
    void whatOthersKeep_isBesideWhatTheyHadAlone() {
        assertThat(ROUND.throughput()).isEqualTo(70);
        assertThat(ROUND.throughputOfControl()).isEqualTo(80);
    }

    @Test
    void percentileAndLogins_areBesideTheControl() {
        assertThat(ROUND.slower()).isCloseTo(2, within(0.01));
        assertThat(ROUND.loginsBesideBare()).isEqualTo(75);
    }

    @Test
    void outcomeIsTheMedianOfItsRounds_andRefusalsAreAdded() {
        FloodRound other = new FloodRound(tally(1_000, 2), tally(800, 4), 12, tally(500, 8), tally(12, 500));
        FloodOutcome outcome = new FloodOutcome(List.of(ROUND, other, other), 3);
        assertThat(outcome.median(FloodRound::throughput)).isEqualTo(50);
        assertThat(outcome.sum(Tally::good)).isEqualTo(9 + 12 + 12);
        assertThat(outcome.toString()).contains("keep 50.0%", "at most 3 request threads");
    }
}
