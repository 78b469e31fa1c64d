package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes expired rows in batches, in the background after other calls.
 *
 * <p>A row is kept a minute longer than necessary, because the nodes' clocks differ. A row is deleted only after its
 * end by the node's clock and by the database's clock. Therefore a node with a wrong clock deletes no needed rows.
 * Safe for use by any number of threads.
 */
final class Sweep {

    static final Duration KEPT_LONGER = Duration.ofMinutes(1);
    static final int AT_ONCE = 500;

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** Deletes at most {@link #AT_ONCE} rows. */
    @FunctionalInterface
    interface Deletion {

        /** Deletes rows that expired before this time and returns the number of rows. */
        int of(Instant before, JdbcClient jdbc);
    }

    private final DatabaseCalls database;
    private final InstantSource clock;
    private final Deletion deletion;
    private final AtomicReference<Instant> last = new AtomicReference<>(Instant.MIN);

    Sweep(DatabaseCalls database, InstantSource clock, Deletion deletion) {
        this.database = database;
        this.clock = clock;
        this.deletion = deletion;
    }

    /**
     * Deletes a batch after this node's current calls, if the last batch was at least a minute ago. If the last batch was
     * full, or the clock was set back by a minute, a batch is due too.
     */
    void ifDue() {
        Instant now = clock.instant();
        Instant before = last.get();
        boolean isDue = Duration.between(before, now).abs().compareTo(INTERVAL) >= 0;
        if (isDue && last.compareAndSet(before, now)) {
            database.later(jdbc -> {
                if (deleteBatch(now, jdbc) == AT_ONCE) {
                    // There may be more expired rows: the next call continues.
                    last.set(Instant.MIN);
                }
                return jdbc;
            });
        }
    }

    /** Deletes a batch now and returns the number of rows. */
    int now() {
        return database.call(jdbc -> deleteBatch(clock.instant(), jdbc));
    }

    private int deleteBatch(Instant nodes, JdbcClient jdbc) {
        Instant databases = JdbcSchema.now(jdbc);
        Instant earlier = nodes.isBefore(databases) ? nodes : databases;
        return deletion.of(earlier.minus(KEPT_LONGER), jdbc);
    }
}
