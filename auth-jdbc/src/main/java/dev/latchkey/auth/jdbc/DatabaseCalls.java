package dev.latchkey.auth.jdbc;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Statements with a deadline, each call in a transaction of its own.
 *
 * <p>They run on a few threads of their own, for two reasons. A request must not hang longer than its deadline, and what it may hang on is more than the
 * statement: a free connection, a network that swallows packets, a commit. And what is recorded must not belong to the caller's
 * transaction, which may be rolled back after the revocation was acknowledged, and holds a connection that a second one would be waited
 * for with. The transaction has the deadline too, so the driver ends a statement that nobody waits for.
 */
final class DatabaseCalls {

    /** Of a service's connections these are used at most. */
    private static final int THREADS = 4;

    /** More than that wait for a database that is too slow; the rest is refused at once. */
    private static final int WAITING = 200;

    private static final String TABLES_MISSING =
            "The tables of revocations and logins are not there, or not as this version needs them: run the script "
                    + "V1__latchkey.sql that auth-jdbc has for the database";

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Duration deadline;
    private final ThreadPoolExecutor threads;

    DatabaseCalls(DataSource dataSource, Duration deadline) {
        this.jdbc = JdbcClient.create(dataSource);
        this.deadline = deadline;
        this.transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        this.transactions.setTimeout(Math.max(1, (int) deadline.toSeconds()));
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), task -> {
                    Thread made = new Thread(task, "latchkey-database");
                    made.setDaemon(true);
                    return made;
                });
        this.threads.allowCoreThreadTimeOut(true);
    }

    private DatabaseCalls(DatabaseCalls of, Duration deadline) {
        this.jdbc = of.jdbc;
        this.transactions = of.transactions;
        this.threads = of.threads;
        this.deadline = deadline;
    }

    /** The same threads, for calls whose callers wait no longer than that. */
    DatabaseCalls within(Duration longest) {
        return longest.compareTo(deadline) < 0 ? new DatabaseCalls(this, longest) : this;
    }

    /**
     * What the statements answer.
     *
     * @throws AuthUnavailableException if they fail, or take longer than the deadline
     */
    <T> T call(Function<JdbcClient, T> statements) {
        FutureTask<T> answer = inTransaction(statements);
        execute(answer);
        return await(answer);
    }

    /**
     * What the statements answer. Where nobody was told that, and they may have taken effect all the same, the others are run behind them: whether
     * they have is known to nobody before their thread is through with the commit. What goes wrong then is left so.
     *
     * @throws AuthUnavailableException if they fail, or take longer than the deadline
     */
    <T> T call(Function<JdbcClient, T> statements, Function<JdbcClient, ?> whereNobodyWasTold) {
        AtomicBoolean isBeforeCommit = new AtomicBoolean();
        FutureTask<T> answer = inTransaction(jdbc -> {
            T value = statements.apply(jdbc);
            isBeforeCommit.set(true);
            return value;
        });
        execute(() -> {
            answer.run();
            if (isBeforeCommit.get() && !isTold(answer)) {
                inTransaction(whereNobodyWasTold).run();
            }
        });
        return await(answer);
    }

    /** Runs them when there is time; what goes wrong is left to the next time. */
    void later(Function<JdbcClient, ?> statements) {
        try {
            execute(inTransaction(statements));
        } catch (AuthUnavailableException e) {
            // Nobody waits for it.
        }
    }

    private <T> FutureTask<T> inTransaction(Function<JdbcClient, T> statements) {
        return new FutureTask<>(() -> transactions.execute(status -> statements.apply(jdbc)));
    }

    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw AuthUnavailableException.outage("The database is too slow: " + WAITING + " calls wait for it");
        }
    }

    private <T> T await(FutureTask<T> answer) {
        try {
            return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(answer, "The database did not answer within " + deadline.toMillis() + " milliseconds");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(answer, "The thread was interrupted while the database was asked");
        } catch (ExecutionException e) {
            throw outage(Objects.requireNonNull(e.getCause()));
        }
    }

    /** The answer after all where it has just come: whoever is told has been told, and {@link #isTold} says so to the other thread. */
    private <T> T giveUp(FutureTask<T> answer, String outage) {
        if (answer.cancel(false)) {
            throw AuthUnavailableException.outage(outage);
        }
        return await(answer);
    }

    /** Whether its caller has got the answer of a task that has been run, or is about to. */
    private static boolean isTold(FutureTask<?> answer) {
        try {
            answer.get();
            return true;
        } catch (CancellationException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts a thread of a store, which has run this", e);
        }
    }

    /** The messages of what failed hold statements, and values of columns: of them the classes and the SQL state are said. */
    private static AuthUnavailableException outage(Throwable failure) {
        if (failure instanceof BadSqlGrammarException) {
            return AuthUnavailableException.outage(TABLES_MISSING);
        }
        if (failure instanceof DataAccessException || failure instanceof TransactionException) {
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
            return AuthUnavailableException.outage(text.toString());
        }
        if (failure instanceof RuntimeException own) {
            throw own;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(failure);
    }
}
