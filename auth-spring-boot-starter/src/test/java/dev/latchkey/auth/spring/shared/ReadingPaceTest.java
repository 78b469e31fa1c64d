package dev.latchkey.auth.spring.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadingPaceTest {

    private static final long APART = ReadingPace.APART.toNanos();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    private final ReadingPace pace = new ReadingPace(nanos::get);

    @Test
    void firstReading_beginsAtOnce() {
        assertThat(pace.waitNanos()).isZero();
        // The clock of nanoseconds may begin anywhere.
        assertThat(new ReadingPace(() -> -APART).waitNanos()).isZero();
    }

    @Test
    void readingThatBeginsLate_movesTheNextOneToo() {
        pace.begins();
        nanos.addAndGet(APART / 2);
        pace.begins();
        assertThat(pace.waitNanos()).isEqualTo(APART);
    }

    @Test
    void readingAfterAnother_waitsUntilTheyAreApart() {
        pace.begins();
        assertThat(pace.waitNanos()).isEqualTo(APART);
        nanos.addAndGet(APART - 1);
        assertThat(pace.waitNanos()).isEqualTo(1);
        nanos.incrementAndGet();
        assertThat(pace.waitNanos()).isZero();
    }

    @Test
    void readingAfterAQuietTime_beginsAtOnce() {
        pace.begins();
        nanos.addAndGet(10 * APART);
        assertThat(pace.waitNanos()).isZero();
    }

    /** As the formula for operators says. */
    @Test
    void requestsWithoutEnd_areFiftyReadingsASecond() {
        long start = nanos.get();
        int readings = 0;
        while (nanos.addAndGet(pace.waitNanos()) - start < TimeUnit.SECONDS.toNanos(1)) {
            pace.begins();
            readings++;
        }
        assertThat(readings).isEqualTo(50);
    }
}
