package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jdbc.calls.StoreTransactions.NoPrimaryException;
import java.sql.SQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.TransactionException;

/** Converts the failure of a database call to the exception for the caller. */
final class Outages {

    /** A chain of causes may be a circle. */
    private static final int MOST_CAUSES = 8;

    private Outages() {}

    /**
     * Messages of drivers contain statements and column values, so an outage names only the classes and the SQL state. A
     * {@link DuplicateKeyException} is returned unchanged.
     *
     * @param failure of the statements or the transaction
     * @param tablesMissing the message for a missing table or column
     * @return the exception to throw
     * @throws Error if the failure is an error
     */
    static RuntimeException of(Throwable failure, String tablesMissing) {
        if (failure instanceof DuplicateKeyException taken) {
            return taken;
        }
        if (failure instanceof BadSqlGrammarException) {
            return AuthUnavailableException.outage(tablesMissing);
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
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            text.append(", caused by ").append(cause.getClass().getSimpleName());
            if (cause instanceof SQLException sql) {
                text.append(" (SQL state ").append(sql.getSQLState()).append(')');
            }
            cause = cause.getCause();
        }
        return text.toString();
    }
}
