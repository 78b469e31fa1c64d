package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import org.junit.jupiter.api.Test;

/** Over what time rates are counted. */
class TallyTest {

    private double now;
    private final Tally tally = new Tally(() -> now);

    private void answered(double second, int status) {
        now = second;
        tally.firstByte(status, 1_000);
        HttpStats statuses = new HttpStats();
        statuses.status_2xx = status == 200 ? 1 : 0;
        statuses.status_5xx = status == 503 ? 1 : 0;
        StatisticsSnapshot one = new StatisticsSnapshot();
        one.requestCount = 1;
        one.extensions.put(HttpStats.HTTP, statuses);
        tally.add(one);
    }

    @Test
    void refusalThatIsToldLate_doesNotMakeLoginsSlower() {
        answered(1, 200);
        answered(9, 503);
        tally.lasted(2);
        assertThat(tally.perSecond()).isEqualTo(0.5);
    }

    @Test
    void answerAfterTheEnd_isCountedWithTheTimeThatItTook() {
        answered(1, 200);
        answered(8, 200);
        tally.lasted(2);
        assertThat(tally.perSecond()).isEqualTo(0.25);
    }

    @Test
    void timeWithoutAnyAnswer_counts() {
        answered(1, 200);
        tally.lasted(4);
        assertThat(tally.perSecond()).isEqualTo(0.25);
    }
}
