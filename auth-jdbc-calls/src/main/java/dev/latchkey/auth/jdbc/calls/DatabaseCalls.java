package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * The one way in which stores ask a database: each call has a transaction of its own and one deadline for everything that the call waits for.
 *
 * <p><b>Transaction.</b> A call commits before its answer, whatever the pool's auto-commit is, and is no part of the caller's transaction. A caller that rolls
 * back must not take back a revocation, and must not leave its uncommitted rows in a cache that other requests use. Each call runs at READ COMMITTED,
 * whatever the pool's isolation level is. The condition of one statement then decides between two writers, and the loser gets an answer and no error. What
 * a statement reads is one snapshot; a call of several SELECTs reads several snapshots.
 *
 * <p><b>Deadline.</b> Calls run on a few threads of the store, since only another thread can stop waiting for a free connection, a network that swallows
 * packets, or a commit. The deadline begins when the caller asks. Statements get what is left of the deadline as their timeout. A call whose caller has
 * given up is rolled back, unless its commit has begun.
 *
 * <p><b>Connections.</b> A call always takes a connection of its own. A caller inside a transaction holds another one, so a pool of one connection answers such
 * a caller with an outage at the deadline. The exception's message names this cause. Thread-locals of the caller are not visible to the {@link DataSource}: a
 * DataSource that chooses a database by a thread-local has to choose the database with the stores' tables where the thread-local is empty.
 *
 * <p>Safe for use by any number of threads.
 */
public final class DatabaseCalls {

    /** How long a call may take, from the caller's question to the commit. */
    public static final Duration DEADLINE = Duration.ofSeconds(2);

    /** At most this many of a service's connections are used by one store. */
    private static final int THREADS = 4;

    /** At most this many calls wait for a slow database; further calls are refused at once. */
    private static final int WAITING = 200;

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
     * The calls of one store.
     *
     * @param dataSource of the primary; a call takes one connection, and four are taken at most
     * @param tablesMissing what the operator is told where a table or a column is missing: which script makes them
     * @return calls with threads of their own, which end when they are idle; nothing is asked of the database yet
     */
    public static DatabaseCalls of(DataSource dataSource, String tablesMissing) {
        return new DatabaseCalls(
                new StoreTransactions(Objects.requireNonNull(dataSource, "dataSource")),
                Objects.requireNonNull(tablesMissing, "tablesMissing"),
                DEADLINE,
                newThreads());
    }

    /**
     * The same with another deadline.
     *
     * @param other of each call, from the caller's question to the commit
     * @return calls with threads of their own; these stay as they are
     */
    public DatabaseCalls withDeadline(Duration other) {
        return new DatabaseCalls(transactions, tablesMissing, Objects.requireNonNull(other, "other"), newThreads());
    }

    /**
     * The same calls, for a request that has less time left.
     *
     * @param longest how long a call may take at most; a longer time than the deadline changes nothing
     * @return calls on the same threads
     */
    public DatabaseCalls within(Duration longest) {
        return longest.compareTo(deadline) < 0
                ? new DatabaseCalls(transactions, tablesMissing, longest, threads)
                : this;
    }

    /**
     * Runs the statements and commits.
     *
     * @param <T> the type of the answer
     * @param statements run once, or again where the database chose them to end a deadlock; on another thread
     * @return what the statements return
     * @throws AuthUnavailableException if the statements fail, or take longer than the deadline
     * @throws DuplicateKeyException if an INSERT finds its key taken; nothing has changed then
     */
    public <T> T call(Function<JdbcClient, T> statements) {
        return waitFor(new Call<>(statements, null));
    }

    /**
     * Runs the statements and commits. Where the caller gets an outage although the commit may have taken place, the others are run behind them, on the same
     * thread: nobody knows before whether the commit took place. A failure of the others is left so.
     *
     * @param <T> the type of the answer
     * @param statements run once, or again where the database chose them to end a deadlock; on another thread
     * @param whereNobodyWasTold run in a transaction of their own, without a caller
     * @return what the statements return
     * @throws AuthUnavailableException if the statements fail, or take longer than the deadline
     * @throws DuplicateKeyException if an INSERT finds its key taken; nothing has changed then
     */
    public <T> T call(Function<JdbcClient, T> statements, Function<JdbcClient, ?> whereNobodyWasTold) {
        return waitFor(new Call<>(statements, whereNobodyWasTold));
    }

    /**
     * Runs the statements when there is time. A failure is left to the next time.
     *
     * @param statements run without a caller, on another thread
     */
    public void later(Function<JdbcClient, ?> statements) {
        try {
            execute(() -> new Call<>(statements, null).run());
        } catch (AuthUnavailableException e) {
            // Nobody waits for it.
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
        if (call.hasConnection) {
            return "The database did not answer within " + deadline.toMillis() + " milliseconds";
        }
        String text = "No connection to the database was free within " + deadline.toMillis() + " milliseconds";
        return TransactionSynchronizationManager.isActualTransactionActive()
                ? text
                        + ". The caller's transaction holds one, and this call needs another one: enlarge the pool, or call"
                        + " outside the transaction"
                : text;
    }

    /** The answer after all where the call has just ended: {@link Call#isTold} then says so to the other thread. */
    private <T> T giveUp(Call<T> call, String outage) {
        if (call.answer.cancel(false)) {
            throw AuthUnavailableException.outage(outage);
        }
        return await(call);
    }

    /** Messages of drivers hold statements, and values of columns: the outage names the classes and the SQL state. */
    private RuntimeException failure(Throwable failure) {
        if (failure instanceof DuplicateKeyException taken) {
            return taken;
        }
        if (failure instanceof BadSqlGrammarException) {
            return AuthUnavailableException.outage(tablesMissing);
        }
        if (failure instanceof DataAccessException || failure instanceof TransactionException) {
            return AuthUnavailableException.outage(classesOf(failure));
        }
        if (failure instanceof RuntimeException own) {
            return own;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(failure);
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

    /** Without the inheritable thread-locals of the request that happens to need a thread first: a tenant's database might be chosen by them. */
    private static Thread daemon(Runnable task) {
        Thread made = new Thread(null, task, "latchkey-database", 0, false);
        made.setContextClassLoader(DatabaseCalls.class.getClassLoader());
        made.setDaemon(true);
        return made;
    }

    /** One call on one of the store's threads, and whether its caller still waits. */
    private final class Call<T> implements Runnable {

        private static final int MOST_TRIES = 3;

        private final Function<JdbcClient, T> statements;
        private final @Nullable Function<JdbcClient, ?> whereNobodyWasTold;
        private final long end = System.nanoTime() + deadline.toNanos();
        private final FutureTask<T> answer = new FutureTask<>(this::transact);
        private volatile boolean hasConnection;
        /** Of the thread that runs this. */
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
                    return transactions.execute(this::nanosLeft, this::throughStatements);
                } catch (ConcurrencyFailureException e) {
                    // The database has undone this transaction for the sake of another one, which is through now.
                    if (mayHaveCommitted || tries == MOST_TRIES) {
                        throw e;
                    }
                }
            }
        }

        private T throughStatements(JdbcClient jdbc) {
            hasConnection = true;
            requireCaller();
            T value = statements.apply(jdbc);
            requireCaller();
            mayHaveCommitted = true;
            return value;
        }

        /** Rolls back by an exception that nobody gets, since nobody waits. */
        private void requireCaller() {
            if (answer.isCancelled()) {
                throw new CancellationException();
            }
        }

        /** Whether the caller has got the answer of a call that has been run, or is about to get it. */
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
