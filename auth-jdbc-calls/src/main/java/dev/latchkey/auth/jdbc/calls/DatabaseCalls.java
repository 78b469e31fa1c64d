package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jdbc.calls.StoreTransactions.NoPrimaryException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The database calls of all stores. Each call has its own transaction and a single deadline for all its waits.
 *
 * <p><b>Transaction.</b> A call commits before its answer, with any auto-commit setting of the pool, and is not part of
 * the caller's transaction. A caller's rollback must not undo a revocation, and must not leave uncommitted rows in a
 * cache of other requests. Each call runs at READ COMMITTED, with any isolation level of the pool. The condition of a
 * statement then decides between two writers, and the loser gets an answer without an error. Each statement reads a
 * snapshot; a call with several SELECTs reads several snapshots.
 *
 * <p><b>Deadline.</b> Calls run on a few threads of the store, because only another thread can stop waiting for a free
 * connection, a silent network, or a commit. The deadline begins with the caller's call. Statements get the rest of the
 * deadline as their timeout. If the caller has given up, the call is rolled back, unless its commit has begun.
 *
 * <p><b>Silent connections.</b> A network may drop a connection and tell neither side. A driver then waits for its
 * socket timeout, by default for ever, and a few such calls would hold all threads of the store. Therefore a read of a
 * call has a network timeout. The driver then closes the connection. The timeout is two seconds longer than the rest
 * of the deadline, because a slow statement must not cost its connection.
 *
 * <p><b>Connections.</b> A call always takes its own connection. A caller inside a transaction holds another
 * connection, so a pool with a single connection ends in an outage at the deadline. The exception's message names this
 * cause. Thread-locals of the caller are not visible to the {@link DataSource}. If a DataSource selects a database by a
 * thread-local, an empty thread-local must select the database with the stores' tables.
 *
 * <p>Safe for use by any number of threads.
 */
public final class DatabaseCalls {

    /** The longest duration of a call, from its start by the caller to the commit. */
    public static final Duration DEADLINE = Duration.ofSeconds(2);

    /** The limit of connections for each store. */
    private static final int THREADS = 4;

    /** The limit of calls in the queue for a slow database. Further calls fail immediately. */
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

    private static ThreadPoolExecutor newThreads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), DatabaseCalls::daemon);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The calls of a store.
     *
     * @param dataSource of the primary server; each call takes a connection, and at most four calls run at the same
     *     time
     * @param tablesMissing the message for a missing table or column, with the name of the script
     * @return calls with their own threads, which end when idle; the database is not used yet
     */
    public static DatabaseCalls of(DataSource dataSource, String tablesMissing) {
        return new DatabaseCalls(
                new StoreTransactions(Objects.requireNonNull(dataSource, "dataSource")),
                Objects.requireNonNull(tablesMissing, "tablesMissing"),
                DEADLINE,
                newThreads());
    }

    /**
     * A copy with another deadline.
     *
     * @param other of each call, from its start by the caller to the commit
     * @return calls with their own threads
     */
    public DatabaseCalls withDeadline(Duration other) {
        return new DatabaseCalls(transactions, tablesMissing, Objects.requireNonNull(other, "other"), newThreads());
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
     * A view for several calls with one deadline together.
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
     * @throws AuthUnavailableException if the statements fail, or take longer than the deadline
     * @throws DuplicateKeyException if an INSERT finds its key in use; then nothing has changed
     */
    public <T> T call(Function<JdbcClient, T> statements) {
        return waitFor(new Call<>(statements, null));
    }

    /**
     * Runs statements that only read, at a primary alone. A server that has become a replica answers each SELECT, and may miss
     * the rows of the new primary for any time. So the server is asked first, in one round trip. PostgreSQL, MySQL and MariaDB
     * know whether they accept changes; any other server executes a DELETE without rows.
     *
     * @param <T> the type of the answer
     * @param table of the store, for the DELETE
     * @param statements run on another thread
     * @return the result of the statements
     * @throws AuthUnavailableException if the server accepts no changes, the statements fail, or take longer than the
     *     deadline
     */
    public <T> T read(String table, Function<JdbcClient, T> statements) {
        return call(jdbc -> {
            transactions.requirePrimary(jdbc, table);
            return statements.apply(jdbc);
        });
    }

    /**
     * Runs the statements and commits. If the caller gets an outage although the commit may have taken place, further
     * statements run afterwards, on the same thread. Only then is the result of the commit known. A failure of the
     * further statements is ignored.
     *
     * @param <T> the type of the answer
     * @param statements run on another thread; repeated if the database has rolled them back to end a deadlock
     * @param whereNobodyWasTold the further statements, in their own transaction, without a caller
     * @return the result of the statements
     * @throws AuthUnavailableException if the statements fail, or take longer than the deadline
     * @throws DuplicateKeyException if an INSERT finds its key in use; then nothing has changed
     */
    public <T> T call(Function<JdbcClient, T> statements, Function<JdbcClient, ?> whereNobodyWasTold) {
        return waitFor(new Call<>(statements, whereNobodyWasTold));
    }

    /**
     * Runs the statements in the background. A failure is ignored, and the next call may succeed.
     *
     * @param statements run without a caller, on another thread
     */
    public void later(Function<JdbcClient, ?> statements) {
        try {
            execute(() -> new Call<>(statements, null).run());
        } catch (AuthUnavailableException e) {
            // No caller waits for the result.
        }
    }

    /**
     * What is wrong with the tables, for a check at the start of a service. Without the check, a forgotten script shows as
     * an outage of all logins. If the database does not answer, nothing is known: the service starts, and the first call
     * asks again.
     *
     * @param selects with each table and each column of the store; they find no rows
     * @return a message if a table or a column is missing, or the user may not read it
     */
    public Optional<String> missingTables(String... selects) {
        try {
            waitFor(new Call<>(jdbc -> answers(jdbc, selects), null));
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

    /** Ends the transaction: PostgreSQL commits none after a failed statement. */
    private static final class MissingTablesException extends RuntimeException {

        MissingTablesException(BadSqlGrammarException cause) {
            super(cause);
        }
    }

    private <T> T waitFor(Call<T> call) {
        execute(call);
        return await(call);
    }

    private <T> T await(Call<T> call) {
        try {
            return call.answer.get(call.nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(call, lateAnswer(call));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(call, "The thread was interrupted while the database was asked");
        } catch (ExecutionException e) {
            throw failure(Objects.requireNonNull(e.getCause()));
        }
    }

    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw AuthUnavailableException.outage("The database is too slow: " + WAITING + " calls wait for it");
        }
    }

    private String lateAnswer(Call<?> call) {
        if (call.hasConnection.get()) {
            return "The database did not answer within " + deadline.toMillis() + " milliseconds";
        }
        String text = "No connection to the database was free within " + deadline.toMillis() + " milliseconds";
        return TransactionSynchronizationManager.isActualTransactionActive()
                ? text
                        + ". The caller's transaction holds one, and this call needs another one: enlarge the pool, or call"
                        + " outside the transaction"
                : text;
    }

    /** Returns the answer if the call has just ended. Then {@link Call#isTold} is true on the other thread. */
    private <T> T giveUp(Call<T> call, String outage) {
        if (call.answer.cancel(false)) {
            throw AuthUnavailableException.outage(outage);
        }
        return await(call);
    }

    /**
     * Messages of drivers contain statements and column values, so the outage names only the classes and the SQL state.
     */
    private RuntimeException failure(Throwable failure) {
        if (failure instanceof DuplicateKeyException taken) {
            return taken;
        }
        if (failure instanceof BadSqlGrammarException) {
            return AuthUnavailableException.outage(tablesMissing + OR_A_RIGHT);
        }
        if (failure instanceof NoPrimaryException) {
            return AuthUnavailableException.outage(NoPrimaryException.MESSAGE);
        }
        if (failure instanceof DataAccessException || failure instanceof TransactionException) {
            return AuthUnavailableException.outage(classesOf(failure));
        }
        if (failure instanceof Error error) {
            throw error;
        }
        // Statements and transactions declare no checked exception.
        return (RuntimeException) failure;
    }

    private static String classesOf(Throwable failure) {
        StringBuilder text = new StringBuilder("The database failed: ");
        text.append(failure.getClass().getSimpleName());
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < 8; depth++) {
            text.append(", caused by ").append(cause.getClass().getSimpleName());
            if (cause instanceof SQLException sql) {
                text.append(" (SQL state ").append(sql.getSQLState()).append(')');
            }
            cause = cause.getCause();
        }
        return text.toString();
    }

    /**
     * Without the inheritable thread-locals of the current request, because a thread-local may select a tenant's
     * database.
     */
    private static Thread daemon(Runnable task) {
        Thread made = new Thread(null, task, "latchkey-database", 0, false);
        made.setContextClassLoader(DatabaseCalls.class.getClassLoader());
        made.setDaemon(true);
        return made;
    }

    /** A call on a thread of the store, and whether its caller still waits. */
    private final class Call<T> implements Runnable {

        private static final int MOST_TRIES = 3;

        private final Function<JdbcClient, T> statements;
        private final @Nullable Function<JdbcClient, ?> whereNobodyWasTold;
        private final long end = System.nanoTime() + deadline.toNanos();
        private final FutureTask<T> answer = new FutureTask<>(this::transact);
        private final AtomicBoolean hasConnection = new AtomicBoolean();
        /** Used only on the thread of this call. */
        private boolean mayHaveCommitted;

        Call(Function<JdbcClient, T> statements, @Nullable Function<JdbcClient, ?> whereNobodyWasTold) {
            this.statements = statements;
            this.whereNobodyWasTold = whereNobodyWasTold;
        }

        long nanosLeft() {
            return end - System.nanoTime();
        }

        @Override
        public void run() {
            answer.run();
            if (whereNobodyWasTold != null && mayHaveCommitted && !isTold()) {
                new Call<>(whereNobodyWasTold, null).run();
            }
        }

        private T transact() {
            for (int tries = 1; ; tries++) {
                try {
                    return transactions.execute(this::nanosLeft, hasConnection, this::throughStatements);
                } catch (ConcurrencyFailureException e) {
                    // The database has rolled back this transaction in favour of another transaction, which has ended
                    // now.
                    if (mayHaveCommitted || tries == MOST_TRIES) {
                        throw e;
                    }
                }
            }
        }

        private T throughStatements(JdbcClient jdbc) {
            requireCaller();
            T value = statements.apply(jdbc);
            requireCaller();
            mayHaveCommitted = true;
            return value;
        }

        /** Rolls back by an exception without a receiver, because the caller no longer waits. */
        private void requireCaller() {
            if (answer.isCancelled()) {
                throw new CancellationException();
            }
        }

        /** Whether the caller gets the answer of the completed call. */
        private boolean isTold() {
            try {
                answer.get();
                return true;
            } catch (CancellationException | ExecutionException e) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException("Nobody interrupts a thread of a store, which has run this", e);
            }
        }
    }
}
