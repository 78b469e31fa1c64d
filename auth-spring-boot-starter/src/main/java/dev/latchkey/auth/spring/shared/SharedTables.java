package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.jdbc.JdbcSchema;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Checks the tables of revocations and sessions at the start. */
final class SharedTables {

    private static final Logger LOG = LoggerFactory.getLogger(SharedTables.class);

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final DataSource database;
    private final Duration longest;

    SharedTables(DataSource database) {
        this(database, LONGEST);
    }

    /** @param longest the start's wait for the database */
    SharedTables(DataSource database, Duration longest) {
        this.database = database;
        this.longest = longest;
    }

    /**
     * Checks the table of revocations. A database that does not answer is not checked.
     *
     * @throws LatchkeyConfigurationException if the table is missing
     */
    void requireRevocations() {
        require("latchkey_revocation", JdbcSchema::hasRevocations);
    }

    /**
     * Checks the table of sessions. A database that does not answer is not checked.
     *
     * @throws LatchkeyConfigurationException if the table is missing
     */
    void requireLogins() {
        require("latchkey_login", JdbcSchema::hasLogins);
    }

    private void require(String table, Predicate<DataSource> isThere) {
        FutureTask<@Nullable Void> check = new FutureTask<>(() -> check(table, isThere), null);
        // A pool may wait for a hanging connection without end.
        DaemonThreads.of(SharedTables.class, "latchkey-tables").newThread(check).start();
        try {
            check.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            unchecked(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unchecked(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void unchecked(Exception reason) {
        LOG.warn(
                "The database was not asked for its tables at the start: {}",
                reason.getClass().getSimpleName());
    }

    private void check(String table, Predicate<DataSource> isThere) {
        try {
            JdbcSchema schema = JdbcSchema.of(database);
            if (!isThere.test(database)) {
                throw new LatchkeyConfigurationException(
                        "The database has no table " + table + " with all columns that this version needs, which "
                                + schema.script() + " makes, or its user lacks a right on the table",
                        "Add that script of auth-jdbc to your migrations, or to spring.sql.init.schema-locations, and give the user the "
                                + "rights that the README of auth-jdbc lists. The script changes no table that is there: add missing "
                                + "columns yourself. To keep revocations in memory set "
                                + "latchkey.store to memory.");
            }
        } catch (IllegalStateException e) {
            throw new LatchkeyConfigurationException(
                    String.valueOf(e.getMessage()),
                    "Use a database that the README of auth-jdbc lists, or set latchkey.store to memory. A DataSource that chooses a "
                            + "database by a thread-local needs a default, because the threads of the stores have none.");
        } catch (SQLException | DataAccessException e) {
            unchecked(e);
        }
    }
}
