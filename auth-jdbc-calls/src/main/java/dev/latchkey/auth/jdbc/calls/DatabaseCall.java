package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A call on a thread of the store, and whether its caller still waits. */
final class DatabaseCall<T> implements Runnable {

    private static final int MOST_TRIES = 3;

    private final StoreTransactions transactions;
    private final Duration deadline;
    private final Function<JdbcClient, T> statements;
    private final @Nullable Function<JdbcClient, ?> whereNobodyWasTold;
    private final LongSupplier nanosLeft;
    private final FutureTask<T> answer = new FutureTask<>(this::transact);
    private final AtomicBoolean hasConnection = new AtomicBoolean();
    /** Used only on the thread of this call. */
    private boolean mayHaveCommitted;

    DatabaseCall(
            StoreTransactions transactions,
            Duration deadline,
            Function<JdbcClient, T> statements,
            @Nullable Function<JdbcClient, ?> whereNobodyWasTold) {
        this(transactions, deadline, fromNow(deadline), statements, whereNobodyWasTold);
    }

    private DatabaseCall(
            StoreTransactions transactions,
            Duration deadline,
            LongSupplier nanosLeft,
            Function<JdbcClient, T> statements,
            @Nullable Function<JdbcClient, ?> whereNobodyWasTold) {
        this.transactions = transactions;
        this.deadline = deadline;
        this.nanosLeft = nanosLeft;
        this.statements = statements;
        this.whereNobodyWasTold = whereNobodyWasTold;
    }

    /** No caller waits, so the time begins with the connection: a pool may wait for the database longer than any caller. */
    private static <T> DatabaseCall<T> withoutCaller(
            StoreTransactions transactions, Function<JdbcClient, T> statements) {
        Duration time = DatabaseCalls.DEADLINE;
        return new DatabaseCall<>(transactions, time, time::toNanos, statements, null);
    }

    private static LongSupplier fromNow(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        return () -> end - System.nanoTime();
    }

    /**
     * Waits for the answer until the deadline.
     *
     * @throws ExecutionException if the statements or the transaction failed
     * @throws AuthUnavailableException if the call does not end in time, or the waiting thread is interrupted
     */
    T await() throws ExecutionException {
        try {
            return answer.get(nanosLeft.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(lateAnswer());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp("The thread was interrupted while the database was asked");
        }
    }

    /**
     * If the call has just ended, returns the answer of the call or throws its failure. With an answer, {@link #isTold}
     * is true on the other thread.
     */
    private T giveUp(String outage) throws ExecutionException {
        if (answer.cancel(false)) {
            throw AuthUnavailableException.outage(outage);
        }
        return await();
    }

    private String lateAnswer() {
        if (hasConnection.get()) {
            return "The database did not answer within " + deadline.toMillis() + " milliseconds";
        }
        String text = "No connection to the database was free within " + deadline.toMillis() + " milliseconds";
        return TransactionSynchronizationManager.isActualTransactionActive()
                ? text
                        + ". The caller's transaction holds one, and this call needs another one: enlarge the pool, or call"
                        + " outside the transaction"
                : text;
    }

    @Override
    public void run() {
        answer.run();
        if (whereNobodyWasTold != null && mayHaveCommitted && !isTold()) {
            withoutCaller(transactions, whereNobodyWasTold).run();
        }
    }

    private T transact() {
        for (int tries = 1; ; tries++) {
            try {
                T value = transactions.execute(nanosLeft, hasConnection, this::throughStatements);
                requireTime();
                return value;
            } catch (ConcurrencyFailureException e) {
                // The database has rolled back this transaction in favour of another transaction. A repetition may
                // succeed.
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

    /**
     * A process may have slept before the commit, together with the caller. Readers expect no row with such a late
     * commit. Therefore the caller gets an outage, and must repeat the call.
     */
    private void requireTime() {
        if (nanosLeft.getAsLong() < 0) {
            throw AuthUnavailableException.outage(
                    "The database did not answer within " + deadline.toMillis() + " milliseconds");
        }
    }

    /** Throws an exception to roll back, if the caller no longer waits. No caller receives the exception. */
    private void requireCaller() {
        if (answer.isCancelled()) {
            throw new CancellationException();
        }
    }

    /** Whether the caller gets an answer, and neither a failure nor an outage. The call has ended. */
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
