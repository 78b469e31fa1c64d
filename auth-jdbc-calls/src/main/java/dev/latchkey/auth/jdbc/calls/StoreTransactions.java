package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.AuthUnavailableException;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions at READ COMMITTED. Statements have the rest of a deadline as their timeout, and the network timeout is
 * longer. The pool gets its connection back unchanged.
 */
final class StoreTransactions {

    /** A letter outside the character sets of Western languages. */
    private static final String LETTER = "\u65e5";

    /** From a call's deadline to its network timeout: a slow statement must not break the connection. */
    private static final int PATIENCE_MILLIS = 2_000;

    /** A pool logs each broken connection, and a new connection costs more than a read. */
    private static final long BETWEEN_ABORTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DataSource dataSource;
    private final AtomicLong abortedAt = new AtomicLong(System.nanoTime() - BETWEEN_ABORTS_NANOS);
    private volatile @Nullable Product product;

    StoreTransactions(DataSource dataSource) {
        // The manager removes a transaction-aware proxy: statements and transaction must use the same connection.
        this.dataSource = Objects.requireNonNull(new JdbcTransactionManager(dataSource).getDataSource());
    }

    /** @param hasConnection true until the pool has the connection back */
    <T> T execute(LongSupplier nanosLeft, AtomicBoolean hasConnection, Function<JdbcClient, T> statements) {
        Source source = new Source(dataSource, nanosLeft, hasConnection);
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(source));
        template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        JdbcClient jdbc = JdbcClient.create(new AllRows(source));
        return Objects.requireNonNull(template.execute(status -> {
            ConnectionHolder holder =
                    (ConnectionHolder) Objects.requireNonNull(TransactionSynchronizationManager.getResource(source));
            Connection connection = holder.getConnection();
            int timeout = queryTimeoutOf(connection);
            holder.setTimeoutInMillis(millis(nanosLeft));
            try {
                know(connection, jdbc);
                return statements.apply(jdbc);
            } catch (NoPrimaryException e) {
                source.mustAbort = mayAbort();
                throw e;
            } finally {
                restore(timeout, connection);
            }
        }));
    }

    /**
     * Fails on a server that accepts no changes, such as a replica. The pool then loses at most one connection a second: a new
     * connection may reach the new primary.
     */
    void requirePrimary(JdbcClient jdbc, String table) {
        if (!Objects.requireNonNull(product).acceptsChanges(jdbc, table)) {
            throw new NoPrimaryException();
        }
    }

    /** The server may have become a replica. */
    static final class NoPrimaryException extends RuntimeException {

        static final String MESSAGE = "The server of the database accepts no changes: it may have become a replica";

        @Serial
        private static final long serialVersionUID = 1L;

        private NoPrimaryException() {
            super(MESSAGE);
        }
    }

    /** Stores the product for all later calls. Costs one round trip at most. */
    private void know(Connection connection, JdbcClient jdbc) {
        if (product == null) {
            Product found = Product.of(connection);
            if (found == Product.MYSQL) {
                requireAllLetters(jdbc);
            }
            product = found;
        }
    }

    /**
     * Connector/J writes question marks for letters outside its character set. Two accounts could then have the same name in
     * the tables.
     */
    private static void requireAllLetters(JdbcClient jdbc) {
        if (!LETTER.equals(jdbc.sql("SELECT CAST(? AS CHAR(1))")
                .param(LETTER)
                .query(String.class)
                .single())) {
            throw AuthUnavailableException.outage("The database driver replaces letters by question marks: remove"
                    + " characterEncoding from the URL of the database, or set it to UTF-8");
        }
    }

    /**
     * A data source may limit the rows of each query, for example by {@code maxRows} of Connector/J. Without all rows, the
     * answers of a store are wrong. In Spring 7, the template's own {@code setMaxRows(0)} would read no rows at all.
     */
    private static final class AllRows extends JdbcTemplate {

        AllRows(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void applyStatementSettings(Statement statement) throws SQLException {
            super.applyStatementSettings(statement);
            statement.setMaxRows(0);
        }
    }

    private static int millis(LongSupplier nanosLeft) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft.getAsLong()));
    }

    /**
     * Sets a network timeout from the start of a call until the return of its connection. The start and the end of a
     * transaction use the network too, to read the isolation level and to set the level back. The timeout itself costs no
     * round trip.
     */
    private static final class Source extends DelegatingDataSource implements SmartDataSource {

        private final LongSupplier nanosLeft;
        private final AtomicBoolean hasConnection;
        private int before;
        private boolean mustAbort;

        Source(DataSource dataSource, LongSupplier nanosLeft, AtomicBoolean hasConnection) {
            super(dataSource);
            this.nanosLeft = nanosLeft;
            this.hasConnection = hasConnection;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection taken = super.getConnection();
            hasConnection.set(true);
            before = networkTimeoutOf(taken);
            setNetworkTimeout(taken, millis(nanosLeft) + PATIENCE_MILLIS);
            return taken;
        }

        @Override
        public boolean shouldClose(Connection connection) {
            if (mustAbort) {
                abort(connection);
            } else {
                setNetworkTimeout(connection, before);
            }
            hasConnection.set(false);
            return true;
        }
    }

    private boolean mayAbort() {
        long last = abortedAt.get();
        long now = System.nanoTime();
        return now - last >= BETWEEN_ABORTS_NANOS && abortedAt.compareAndSet(last, now);
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // The pool keeps the connection, as with a driver that cannot abort.
        }
    }

    private static int networkTimeoutOf(Connection connection) {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLException e) {
            // See setNetworkTimeout.
            return 0;
        }
    }

    private static void setNetworkTimeout(Connection connection, int millis) {
        try {
            connection.setNetworkTimeout(Runnable::run, millis);
        } catch (SQLException e) {
            // A broken connection fails at its first statement. Some drivers have no network timeouts.
        }
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
            // A pool discards a broken connection.
        }
    }
}
