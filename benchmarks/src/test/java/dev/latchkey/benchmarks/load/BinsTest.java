package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BinsTest {

    private final Bins bins = new Bins(0.1);

    @Test
    void whatFallsIntoOneBin_isAdded() {
        bins.addAt(0.31, 2);
        bins.addAt(0.39, 3);
        assertThat(bins.in(3)).isEqualTo(5);
        assertThat(bins.in(2)).isZero();
        assertThat(bins.count()).isEqualTo(4);
    }

    @Test
    void onlyWholeSeconds_areGiven() {
        bins.addAt(0.05, 1);
        bins.addAt(0.95, 1);
        bins.addAt(1.5, 7);
        assertThat(bins.perSecond()).containsExactly(2.0);
        bins.addAt(1.95, 1);
        assertThat(bins.perSecond()).containsExactly(2.0, 8.0);
    }

    @Test
    void mostInASecond_isFoundAcrossTheFullSeconds() {
        bins.addAt(0.85, 10);
        bins.addAt(1.05, 10);
        assertThat(bins.mostInASecond()).isEqualTo(20);
        assertThat(bins.in(8) + bins.in(9)).isEqualTo(10);
    }

    @Test
    void whatIsMoreThanASecondApart_isNotInOneSecond() {
        bins.addAt(0.05, 10);
        bins.addAt(1.05, 4);
        assertThat(bins.mostInASecond()).isEqualTo(10);
    }

    @Test
    void longRuns_findRoom() {
        bins.addAt(1_000, 1);
        assertThat(bins.in(10_000)).isEqualTo(1);
    }
}
