package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes rows that are over, a batch at a time, on the way of other calls.
 *
 * <p>A row is kept a minute longer than it matters, since clocks of nodes differ; and it leaves only where it is over by the node's clock and by the database's,
 * so that a node whose clock is wrong deletes nothing that others need. MySQL's clock comes without its time zone: a driver that takes it for another one is wrong by
 * hours, and then so is this bound on a wrong node. Safe for use by any number of threads.
 */
final class Sweep {

    static final Duration KEPT_LONGER = Duration.ofMinutes(1);
    static final int AT_ONCE = 500;

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** Deletes {@link #AT_ONCE} rows at most. */
    @FunctionalInterface
    interface Deletion {

        /** How many were over before this, and are deleted. */
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

    /** Deletes a batch behind the calls of this node, where its last one was a minute ago, or the clock was set back since. */
    void ifDue() {
        Instant now = clock.instant();
        Instant before = last.get();
        boolean isDue = Duration.between(before, now).abs().compareTo(INTERVAL) >= 0;
        if (isDue && last.compareAndSet(before, now)) {
            database.later(jdbc -> {
                if (deleteBatch(now, jdbc) == AT_ONCE) {
                    // There are more: the next call goes on.
                    last.set(Instant.MIN);
                }
                return jdbc;
            });
        }
    }

    /** Deletes a batch now; how many rows that were. */
    int now() {
        return database.call(jdbc -> deleteBatch(clock.instant(), jdbc));
    }

    private int deleteBatch(Instant nodes, JdbcClient jdbc) {
        Instant databases = jdbc.sql("SELECT CURRENT_TIMESTAMP")
                .query(Timestamp.class)
                .single()
                .toInstant();
        Instant earlier = nodes.isBefore(databases) ? nodes : databases;
        return deletion.of(earlier.minus(KEPT_LONGER), jdbc);
    }
}
