package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hyperfoil.api.statistics.StatisticsSnapshot;
import io.hyperfoil.http.statistics.HttpStats;
import org.junit.jupiter.api.Test;

/** Which answers are counted, and over what time. */
class TallyTest {

    private double now;
    private final Tally tally = new Tally(() -> now);

    private void answered(int times, double second, int status) {
        for (int i = 0; i < times; i++) {
            answered(second, status);
        }
    }

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

    @Test
    void timeOut_isOneRequestWithoutAnAnswer_andOneError() {
        StatisticsSnapshot one = new StatisticsSnapshot();
        one.requestCount = 1;
        // The generator closes the connection of a request that times out, and counts both.
        one.requestTimeouts = 1;
        one.connectionErrors = 1;
        tally.add(one);
        assertThat(tally.unanswered()).isEqualTo(1);
        assertThat(tally.errors()).isEqualTo(1);
    }

    @Test
    void rejectionThatBreaksOff_isOneError() {
        StatisticsSnapshot broken = new StatisticsSnapshot();
        broken.connectionErrors = 1;
        broken.internalErrors = 1;
        tally.add(broken);
        answered(1, 503);
        assertThat(tally.errors()).isEqualTo(1);
        assertThat(tally.unanswered()).isZero();
    }

    @Test
    void answerThatBreaksOff_isAnError() {
        StatisticsSnapshot broken = new StatisticsSnapshot();
        broken.connectionErrors = 1;
        tally.add(broken);
        answered(1, 200);
        assertThat(tally.unanswered()).isZero();
        assertThat(tally.errors()).isEqualTo(1);
    }

    @Test
    void oneFailedRequestOfAHundred_isAllowedInAComparison_andTwoAreNot() {
        answered(99, 1, 200);
        answered(1, 503);
        assertThat(tally.answered("yardstick")).isSameAs(tally);
        answered(1, 503);
        assertThatIllegalStateException()
                .isThrownBy(() -> tally.answered("yardstick"))
                .withMessage("yardstick: of 101 requests, 99 were answered, 0 refused, 2 overloaded and 0 unanswered");
    }

    @Test
    void overloadedRequests_areAllowedOnlyOnDemand() {
        answered(1, 200);
        answered(99, 1, 503);
        assertThat(tally.answeredOrOverloaded("first logins")).isSameAs(tally);
        assertThatIllegalStateException().isThrownBy(() -> tally.answered("first logins"));
    }

    @Test
    void serviceWithoutAnyAnswer_isNotCompared() {
        assertThatIllegalStateException().isThrownBy(() -> tally.answered("none"));
        answered(5, 1, 503);
        assertThatIllegalStateException().isThrownBy(() -> tally.answeredOrOverloaded("none"));
    }

    @Test
    void redirection_isAnAnswer_andAnError() {
        HttpStats statuses = new HttpStats();
        statuses.status_3xx = 1;
        StatisticsSnapshot one = new StatisticsSnapshot();
        one.requestCount = 1;
        one.extensions.put(HttpStats.HTTP, statuses);
        tally.add(one);
        assertThat(tally.unanswered()).isZero();
        assertThat(tally.errors()).isEqualTo(1);
    }
}
