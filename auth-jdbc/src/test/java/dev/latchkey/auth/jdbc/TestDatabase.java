package dev.latchkey.auth.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.testsupport.Until;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** An empty database with the tables, behind a usual pool. The test can cut the connections. */
final class TestDatabase extends DelegatingDataSource implements AutoCloseable {

    /** The service of the stores in most tests. */
    static final ServiceName SHOP = new ServiceName("shop");

    private final HikariDataSource pool;
    private volatile boolean isCutOff;

    private TestDatabase(HikariDataSource pool) {
        super(pool);
        this.pool = pool;
    }

    static TestDatabase h2() throws SQLException {
        return inMemory(JdbcSchema.H2, "");
    }

    /** MySQL's script and statements, as H2 reads them in MySQL's mode: no MySQL runs here. */
    static TestDatabase h2AsMySql() throws SQLException {
        return inMemory(JdbcSchema.MYSQL, ";MODE=MySQL;DATABASE_TO_LOWER=TRUE");
    }

    private static TestDatabase inMemory(JdbcSchema schema, String mode) throws SQLException {
        return made("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000" + mode, "sa")
                .with(schema);
    }

    /** For stores that take a machine with other work for no outage. */
    static DatabaseCalls patient(DataSource database) {
        return DatabaseCalls.of(database, JdbcSchema.TABLES_MISSING).withDeadline(Duration.ofMinutes(1));
    }

    /**
     * The same tables behind the same pool, for the next test. The previous test is cut off. Its sweeps end first: the previous test
     * may have a later clock, and then its sweep would delete rows of the next test.
     */
    TestDatabase emptied() throws SQLException {
        cutOff();
        Until.until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        execute("TRUNCATE latchkey_revocation, latchkey_login");
        return new TestDatabase(pool);
    }

    /** A pool of connections to this database. */
    static TestDatabase made(String url, String user) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword("");
        config.setMaximumPoolSize(10);
        config.setConnectionTimeout(20_000);
        config.setMinimumIdle(1);
        config.setInitializationFailTimeout(-1);
        return new TestDatabase(new HikariDataSource(config));
    }

    /** With the tables of this script. The script may run twice. */
    TestDatabase with(JdbcSchema schema) throws SQLException {
        execute(textOf(schema));
        execute(textOf(schema));
        return this;
    }

    void cutOff() {
        isCutOff = true;
    }

    void reconnect() {
        isCutOff = false;
    }

    void execute(String statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : statements.replaceAll("(?m)^--.*$", "").split(";", -1)) {
                if (!each.isBlank()) {
                    statement.execute(each);
                }
            }
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        requireConnected();
        Connection connection = super.getConnection();
        try {
            // The cut may have come while the pool was asked.
            requireConnected();
            return connection;
        } catch (SQLTransientConnectionException e) {
            connection.close();
            throw e;
        }
    }

    private void requireConnected() throws SQLTransientConnectionException {
        if (isCutOff) {
            throw new SQLTransientConnectionException("select * from secret-hash unknown-token: refused", "08001");
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private static String textOf(JdbcSchema schema) {
        try (InputStream script =
                Objects.requireNonNull(JdbcSchema.class.getClassLoader().getResourceAsStream(schema.script()))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
