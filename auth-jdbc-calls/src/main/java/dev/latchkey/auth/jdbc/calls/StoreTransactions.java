package dev.latchkey.auth.jdbc.calls;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions at READ COMMITTED, with the rest of a deadline as the timeout of statements. The pool gets its
 * connection back unchanged.
 */
final class StoreTransactions {

    private final DataSource dataSource;
    private final JdbcClient jdbc;
    private final TransactionTemplate template;

    StoreTransactions(DataSource dataSource) {
        JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
        // Without the proxy that the manager removes: statements and transaction must use the same connection.
        this.dataSource = Objects.requireNonNull(manager.getDataSource());
        this.jdbc = JdbcClient.create(this.dataSource);
        this.template = new TransactionTemplate(manager);
        this.template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    /** @param inUse has the connection until just before the pool gets the connection back */
    <T> T execute(LongSupplier nanosLeft, ConnectionInUse inUse, Function<JdbcClient, T> statements) {
        return Objects.requireNonNull(template.execute(status -> {
            ConnectionHolder holder = (ConnectionHolder)
                    Objects.requireNonNull(TransactionSynchronizationManager.getResource(dataSource));
            Connection connection = holder.getConnection();
            inUse.begin(connection);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int completion) {
                    inUse.end();
                }
            });
            int timeout = queryTimeoutOf(connection);
            holder.setTimeoutInMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft.getAsLong())));
            try {
                return statements.apply(jdbc);
            } finally {
                restore(timeout, connection);
            }
        }));
    }

    /**
     * H2 has a single timeout for all statements of a connection. Without the reset, the service's own statements would
     * have the store's timeout.
     */
    private static int queryTimeoutOf(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            return statement.getQueryTimeout();
        } catch (SQLException e) {
            // A broken connection fails at its first statement.
            return 0;
        }
    }

    private static void restore(int timeout, Connection connection) {
        try (Statement statement = connection.createStatement()) {
            if (statement.getQueryTimeout() != timeout) {
                statement.setQueryTimeout(timeout);
            }
        } catch (SQLException e) {
            // As above: a broken connection does not return to the pool.
        }
    }
}
