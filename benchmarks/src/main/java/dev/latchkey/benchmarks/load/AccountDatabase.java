package dev.latchkey.benchmarks.load;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * A table of accounts in a real database: PostgreSQL in a process of its own where its binaries run, otherwise H2 in a file that
 * the service opens too. Filled in bulk, since a million single inserts would take longer than what is measured.
 */
public final class AccountDatabase implements AutoCloseable {

    private static final int BATCH = 50_000;

    private final String title;
    private final String url;
    private final Connection connection;
    private final Closeable server;
    private long accounts;

    private AccountDatabase(String title, String url, String user, Closeable server) throws SQLException {
        this.title = title;
        this.url = url;
        this.server = server;
        this.connection = DriverManager.getConnection(url, user, "");
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists accounts");
            statement.execute("create table accounts (name varchar(64) primary key, strong varchar(100) not null,"
                    + " weak varchar(120) not null)");
        }
    }

    public static AccountDatabase open(Progress progress) throws SQLException {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
            return new AccountDatabase("PostgreSQL", postgres.getJdbcUrl("postgres", "postgres"), "postgres", postgres);
        } catch (IOException | IllegalStateException e) {
            progress.step("PostgreSQL does not start here (" + e.getMessage() + "), so H2 in a file");
            Path file = Path.of(System.getProperty("benchmarks.home"), "target", "accounts");
            return new AccountDatabase("H2 in a file", "jdbc:h2:file:" + file + ";AUTO_SERVER=TRUE", "sa", () -> {});
        }
    }

    public String title() {
        return title;
    }

    /** What the service is told, to use the same database. */
    public String[] properties() {
        return new String[] {
            "spring.datasource.url=" + url,
            "spring.datasource.username=" + (title.equals("PostgreSQL") ? "postgres" : "sa"),
            "spring.datasource.password=",
            "subject.store=JDBC"
        };
    }

    /** Adds accounts until there are so many. */
    public void fillTo(long wanted, Progress progress) throws SQLException, IOException {
        List<String> strong = HashPool.STRONG.lines();
        List<String> weak = HashPool.WEAK.lines();
        while (accounts < wanted) {
            long end = Math.min(wanted, accounts + BATCH);
            if (title.equals("PostgreSQL")) {
                copy(end, strong, weak);
            } else {
                insert(end, strong, weak);
            }
            accounts = end;
            if (accounts % 250_000 == 0) {
                progress.step(String.format(java.util.Locale.ROOT, "%,d of %,d accounts", accounts, wanted));
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("analyze");
        }
    }

    private void copy(long end, List<String> strong, List<String> weak) throws SQLException, IOException {
        StringBuilder rows = new StringBuilder();
        for (long i = accounts; i < end; i++) {
            rows.append(Accounts.name(i))
                    .append('\t')
                    .append(stored(strong, i))
                    .append('\t')
                    .append(stored(weak, i))
                    .append('\n');
        }
        new CopyManager(connection.unwrap(BaseConnection.class))
                .copyIn("copy accounts from stdin", new StringReader(rows.toString()));
    }

    private void insert(long end, List<String> strong, List<String> weak) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("insert into accounts values (?, ?, ?)")) {
            for (long i = accounts; i < end; i++) {
                row.setString(1, Accounts.name(i));
                row.setString(2, stored(strong, i));
                row.setString(3, stored(weak, i));
                row.addBatch();
            }
            row.executeBatch();
        }
    }

    /** A hash of the pool with the account's number behind it, so that no two accounts have the same value. */
    private static String stored(List<String> pool, long i) {
        return pool.get((int) (i % Accounts.POOL)) + "#" + i / Accounts.POOL;
    }

    @Override
    public void close() throws SQLException, IOException {
        connection.close();
        server.close();
    }
}
