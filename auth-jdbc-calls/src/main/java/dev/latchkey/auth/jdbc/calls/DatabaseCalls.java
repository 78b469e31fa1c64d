package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The database calls of all stores. Each call has its own transaction and a single deadline for all its waits.
 *
 * <p><b>Transaction.</b> A call commits before its answer, with any auto-commit setting of the pool. A call is not part
 * of the caller's transaction: a rollback of the caller must not undo a revocation. A cache must never hold uncommitted
 * rows for other requests. Each call runs at READ COMMITTED, with any isolation level of the pool. The condition of a
 * statement then decides between two writers. The statement of the second writer changes no row, and reports no error.
 * Each statement reads a snapshot; a call with several SELECTs reads several snapshots.
 *
 * <p><b>Deadline.</b> Calls run on a few threads of the store. So the caller can stop waiting, even if the call waits
 * for a free connection, a silent network, or a commit. The deadline begins with the caller's call. Statements get the
 * rest of the deadline as their timeout. If the caller has given up, the call is rolled back, unless its commit has
 * begun.
 *
 * <p><b>Silent connections.</b> A network may drop a connection and tell neither side. A driver then waits for its
 * socket timeout, by default for ever, and a few such calls would hold all threads of the store. Therefore the
 * connection of a call has a network timeout, and the driver closes the connection at the timeout. The timeout is two
 * seconds longer than the rest of the deadline, so that a slow statement does not cost its connection.
 *
 * <p><b>Connections.</b> A call always takes its own connection. A caller inside a transaction holds another
 * connection, so a pool with a single connection ends in an outage at the deadline. The message of the exception names
 * this cause. Thread-locals of the caller are not visible to the {@link DataSource}. If a DataSource selects a database
 * by a thread-local, an empty thread-local must select the database with the stores' tables.
 *
 * <p>Safe for use by any number of threads.
 */
public final class DatabaseCalls {

    /** The longest duration of a call, from its start by the caller to the commit. */
    public static final Duration DEADLINE = Duration.ofSeconds(2);

    /** The number of threads for calls. Each running call holds at most one connection. */
    private static final int THREADS = 4;

    /** The largest number of calls that wait for a thread, with a slow database. Further calls fail immediately. */
    private static final int WAITING = 200;

    /** PostgreSQL reports a missing right like a missing table. */
    private static final String OR_A_RIGHT = ". If it has run, the database's user lacks a right on the table";

    private final StoreTransactions transactions;
    private final String tablesMissing;
    private final Duration deadline;
    private final ThreadPoolExecutor threads;

    private DatabaseCalls(
            StoreTransactions transactions, String tablesMissing, Duration deadline, ThreadPoolExecutor threads) {
        this.transactions = transactions;
        this.tablesMissing = tablesMissing;
        this.deadline = deadline;
        this.threads = threads;
    }

    private static ThreadPoolExecutor newThreads(int number) {
        ThreadFactory daemons = DaemonThreads.of(DatabaseCalls.class, "latchkey-database");
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                number, number, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), daemons);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The calls of a store.
     *
     * @param dataSource of the primary server; each call takes a connection, and at most four calls run at the same
     *     time
     * @param tablesMissing the message for a missing table or column; contains the name of the script
     * @return calls with their own threads, which end when idle; this method does not use the database
     */
    public static DatabaseCalls of(DataSource dataSource, String tablesMissing) {
        return new DatabaseCalls(
                new StoreTransactions(Objects.requireNonNull(dataSource, "dataSource")),
                Objects.requireNonNull(tablesMissing, "tablesMissing"),
                DEADLINE,
                newThreads(THREADS));
    }

    /**
     * A copy with another deadline.
     *
     * @param other of each call, from its start by the caller to the commit
     * @return calls with their own threads
     */
    public DatabaseCalls withDeadline(Duration other) {
        return new DatabaseCalls(
                transactions, tablesMissing, Objects.requireNonNull(other, "other"), newThreads(THREADS));
    }

    /**
     * A copy with a thread of its own. Calls of the copy do not wait for calls of this object.
     *
     * @return a copy; runs one call at a time
     */
    public DatabaseCalls onAThreadOfTheirOwn() {
        return new DatabaseCalls(transactions, tablesMissing, deadline, newThreads(1));
    }

    /**
     * A view for a request with less remaining time.
     *
     * @param longest the longest duration of a call; a time above the deadline has no effect
     * @return calls on the same threads
     */
    public DatabaseCalls within(Duration longest) {
        return longest.compareTo(deadline) < 0
                ? new DatabaseCalls(transactions, tablesMissing, longest, threads)
                : this;
    }

    /**
     * A view for several calls with one common deadline.
     *
     * @param end the deadline, as {@link System#nanoTime()}
     * @return calls on the same threads; after the end, each call is an outage
     */
    public DatabaseCalls until(long end) {
        return within(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }

    /**
     * Runs the statements and commits.
     *
     * @param <T> the type of the answer
     * @param statements run on another thread; repeated if the database has rolled them back to end a deadlock
     * @return the result of the statements
     * @throws AuthUnavailableException if the database fails or does not answer before the deadline, or too many calls
     *     wait
     * @throws DuplicateKeyException if an INSERT finds its key in use; then nothing has changed
     */
    public <T> T call(Function<JdbcClient, T> statements) {
        return waitFor(newCall(statements, null));
    }

    /**
     * Runs statements that only read, and only on a primary: see {@link #requirePrimary}.
     *
     * @param <T> the type of the answer
     * @param table of the store, for the DELETE
     * @param statements run on another thread
     * @return the result of the statements
     * @throws AuthUnavailableException if the server accepts no changes, the database fails or does not answer before
     *     the deadline, or too many calls wait
     */
    public <T> T read(String table, Function<JdbcClient, T> statements) {
        return call(jdbc -> {
            requirePrimary(jdbc, table);
            return statements.apply(jdbc);
        });
    }

    /**
     * Ends a call on a server that accepts no changes; the caller gets an outage. A server that has become a replica still
     * answers each SELECT, and its rows may differ from those of the new primary for any time. A statement that changes
     * rows fails there. Statements of {@link #call} therefore begin with this check if they may end after a SELECT, without
     * a change.
     *
     * <p>The check takes one round trip. PostgreSQL, MySQL and MariaDB report whether they accept changes. Any other server
     * executes a DELETE without rows.
     *
     * @param jdbc of the running call
     * @param table of the store, for the DELETE
     */
    public void requirePrimary(JdbcClient jdbc, String table) {
        transactions.requirePrimary(jdbc, table);
    }

    /**
     * Runs the statements and commits. If the caller gets a failure although the commit may have succeeded, further
     * statements run afterwards on the same thread. Only then is the result of the commit known. A failure of the
     * further statements is ignored. The further statements wait for a connection as long as the pool does, and then have
     * {@link #DEADLINE}.
     *
     * @param <T> the type of the answer
     * @param statements run on another thread; repeated if the database has rolled them back to end a deadlock
     * @param whereNobodyWasTold the further statements, in their own transaction, without a caller
     * @return the result of the statements
     * @throws AuthUnavailableException if the database fails or does not answer before the deadline, or too many calls
     *     wait
     * @throws DuplicateKeyException if an INSERT finds its key in use; then nothing has changed
     */
    public <T> T call(Function<JdbcClient, T> statements, Function<JdbcClient, ?> whereNobodyWasTold) {
        return waitFor(newCall(statements, whereNobodyWasTold));
    }

    /**
     * Runs the statements in the background. A failure is ignored; if too many calls wait, the statements do not run.
     *
     * @param statements run without a caller, on another thread
     */
    public void later(Function<JdbcClient, ?> statements) {
        try {
            execute(() -> newCall(statements, null).run());
        } catch (AuthUnavailableException e) {
            // No caller waits for the result.
        }
    }

    /**
     * Finds missing tables and columns, for a check at the start of a service. Without the check, a forgotten script
     * causes an outage of all logins. If the database does not answer, the result is empty, so that the service starts.
     * The first call then finds missing tables.
     *
     * @param selects with each table and each column of the store; they find no rows
     * @return a message if a table or a column is missing, or the user may not read it
     */
    public Optional<String> missingTables(String... selects) {
        try {
            waitFor(newCall(jdbc -> answers(jdbc, selects), null));
            return Optional.empty();
        } catch (MissingTablesException e) {
            return Optional.of(
                    tablesMissing + ", with your migrations or by spring.sql.init.schema-locations" + OR_A_RIGHT);
        } catch (AuthUnavailableException e) {
            // The database may be down during the start.
            return Optional.empty();
        }
    }

    private static int answers(JdbcClient jdbc, String... selects) {
        try {
            for (String select : selects) {
                jdbc.sql(select).query().listOfRows();
            }
            return selects.length;
        } catch (BadSqlGrammarException e) {
            throw new MissingTablesException(e);
        }
    }

    /** Rolls back the transaction, because PostgreSQL commits no transaction after a failed statement. */
    private static final class MissingTablesException extends RuntimeException {

        MissingTablesException(BadSqlGrammarException cause) {
            super(cause);
        }
    }

    private <T> DatabaseCall<T> newCall(
            Function<JdbcClient, T> statements, @Nullable Function<JdbcClient, ?> whereNobodyWasTold) {
        return new DatabaseCall<>(transactions, deadline, statements, whereNobodyWasTold);
    }

    private <T> T waitFor(DatabaseCall<T> call) {
        execute(call);
        try {
            return call.await();
        } catch (ExecutionException e) {
            throw Outages.of(Objects.requireNonNull(e.getCause()), tablesMissing + OR_A_RIGHT);
        }
    }

    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw AuthUnavailableException.outage("The database is too slow: " + WAITING + " calls wait for it", e);
        }
    }
}
