package dev.latchkey.benchmarks.load;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * A table of accounts in its own PostgreSQL. The table is filled in bulk: a million single inserts would take longer than the
 * measurement.
 */
public final class AccountDatabase implements AutoCloseable {

    private static final int BATCH = 50_000;

    private final EmbeddedPostgres server;
    private final Connection connection;

    private AccountDatabase(EmbeddedPostgres server) throws SQLException {
        this.server = server;
        this.connection = DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
        execute("create table accounts (name varchar(64) primary key, strong varchar(100) not null,"
                + " weak varchar(120) not null)");
    }

    public static AccountDatabase open() throws SQLException, IOException {
        return new AccountDatabase(EmbeddedPostgres.builder().start());
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The settings of the service for this database, and these. */
    public String[] settings(String... more) {
        Stream<String> own = Stream.of(
                "spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"),
                "spring.datasource.username=postgres",
                "spring.datasource.hikari.maximum-pool-size=20",
                "subject.store=JDBC");
        return Stream.concat(own, Arrays.stream(more)).toArray(String[]::new);
    }

    public void fillTo(long wanted, Progress progress) throws SQLException, IOException {
        List<String> strong = HashPool.BCRYPT.lines();
        List<String> weak = HashPool.WEAK_PBKDF2.lines();
        CopyManager table = new CopyManager(connection.unwrap(BaseConnection.class));
        for (long begin = 0; begin < wanted; begin += BATCH) {
            StringBuilder rows = new StringBuilder();
            for (long i = begin; i < Math.min(wanted, begin + BATCH); i++) {
                rows.append(String.join("\t", Accounts.name(i), stored(strong, i), stored(weak, i)))
                        .append('\n');
            }
            table.copyIn("copy accounts from stdin", new StringReader(rows.toString()));
        }
        execute("analyze");
        progress.step(wanted + " accounts");
    }

    /** A hash of the pool with the account's number at its end, so no two accounts have the same value. */
    private static String stored(List<String> pool, long i) {
        return pool.get((int) (i % Accounts.POOL)) + "#" + i / Accounts.POOL;
    }

    @Override
    public void close() throws SQLException, IOException {
        connection.close();
        server.close();
    }
}
