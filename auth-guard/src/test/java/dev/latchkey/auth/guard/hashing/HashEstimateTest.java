package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HashEstimateTest {

    private final HashEstimate estimate = new HashEstimate(Duration.ofMillis(100));

    @Test
    void longerHashMovesItByAQuarter_shorterOneByASixteenth() {
        estimate.learn(Duration.ofMillis(500).toNanos());
        assertThat(estimate.ofOne()).isEqualTo(Duration.ofMillis(200));
        estimate.learn(Duration.ofMillis(40).toNanos());
        assertThat(estimate.ofOne()).isEqualTo(Duration.ofMillis(190));
    }

    @Test
    void hashesThatTakeNoTime_leaveItPositive() {
        HashEstimate shortest = new HashEstimate(Duration.ofNanos(2));
        for (int i = 0; i < 100; i++) {
            shortest.learn(-1_000);
        }
        assertThat(shortest.ofOne()).isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void hashesInATime_growWithTheThreads() {
        assertThat(estimate.doneWithin(Duration.ofMillis(500).toNanos(), 1)).isEqualTo(5);
        assertThat(estimate.doneWithin(Duration.ofMillis(500).toNanos(), 3)).isEqualTo(15);
        assertThat(estimate.doneWithin(Duration.ofMillis(99).toNanos(), 1)).isZero();
        assertThat(estimate.doneWithin(Long.MAX_VALUE, 1_000_000)).isPositive();
    }

    @Test
    void timeToRetry_isTheTimeOfTheHashesAhead_andAtLeastASecond() {
        assertThat(estimate.retryAfter(10, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(estimate.retryAfter(11, 1)).isEqualTo(Duration.ofMillis(1_100));
        assertThat(estimate.retryAfter(60, 2)).isEqualTo(Duration.ofSeconds(3));
        assertThat(estimate.retryAfter(0, 1)).isEqualTo(Duration.ofSeconds(1));
    }
}
