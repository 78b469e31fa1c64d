package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.Until;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When batches of expired rows are deleted. The database's clock is ahead of each node here. */
@Timeout(60)
class SweepTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int THREADS = 4;

    private final List<Instant> swept = new CopyOnWriteArrayList<>();
    private volatile Instant now = START;
    private TestDatabase database;
    private Sweep sweep;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.h2();
        sweep = new Sweep(TestDatabase.patient(database), () -> now, (before, jdbc) -> {
            swept.add(before.plus(Sweep.KEPT_LONGER));
            return swept.size() == 1 ? Sweep.AT_ONCE : Sweep.AT_ONCE - 1;
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void batches_areAMinuteApart_alsoByAClockThatIsSetBack() {
        assertThat(sweep.now()).isEqualTo(Sweep.AT_ONCE);
        for (int second : List.of(0, 59, 60, 1, 0)) {
            now = START.plusSeconds(second);
            sweep.ifDue();
        }
        Until.until(() -> swept.size() == 4);
        assertThat(swept).containsExactlyInAnyOrder(START, START, START.plusSeconds(60), START);
    }

    @Test
    void fullBatch_isFollowedByAnotherInTheSameMinute_andASmallerBatchIsNot() {
        Until.until(() -> {
            sweep.ifDue();
            return swept.size() == 2;
        });
        // Each thread has finished the earlier batches after one call more than the store has threads.
        for (int i = 0; i <= THREADS; i++) {
            assertThat(sweep.now()).isLessThan(Sweep.AT_ONCE);
        }
        sweep.ifDue();
        sweep.now();
        assertThat(swept).hasSize(2 + THREADS + 2);
    }
}
