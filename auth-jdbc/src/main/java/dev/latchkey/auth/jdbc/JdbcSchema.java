package dev.latchkey.auth.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The scripts of the stores' tables for each database. Latchkey never creates the tables: add the script to the
 * service's migrations, or run the script by hand. The script may run again.
 */
public enum JdbcSchema {
    /** PostgreSQL 9.6 and newer. */
    POSTGRESQL("extract(epoch FROM CURRENT_TIMESTAMP)"),
    /** MySQL and MariaDB. */
    MYSQL("UNIX_TIMESTAMP()"),
    /** H2 2 and newer. */
    H2("extract(epoch FROM CURRENT_TIMESTAMP)");

    /** Each column and each right that the store of revocations needs. No statement finds or changes a row. */
    private static final List<String> TRIALS_OF_REVOCATIONS = List.of(
            "SELECT seq, service, id, owner, not_before, expires_at FROM latchkey_revocation WHERE 1 = 0",
            "INSERT INTO latchkey_revocation (service, id, owner, not_before, expires_at) "
                    + "SELECT service, id, owner, not_before, expires_at FROM latchkey_revocation WHERE 1 = 0",
            "DELETE FROM latchkey_revocation WHERE 1 = 0");

    /** As {@link #TRIALS_OF_REVOCATIONS}, for the store of sessions. */
    private static final List<String> TRIALS_OF_LOGINS = List.of(
            "SELECT id, service, seq, owner, login, plugin, subject, token_hash, stamp, methods, started_at, ends_at, expires_at, "
                    + "replaced_hash, replaced_seed, replaced_at, device, address, sent_by FROM latchkey_login WHERE 1 = 0",
            "INSERT INTO latchkey_login (id, service, owner, login, plugin, subject, token_hash, stamp, methods, started_at, ends_at, "
                    + "expires_at) SELECT id, service, owner, login, plugin, subject, token_hash, stamp, methods, started_at, ends_at, "
                    + "expires_at FROM latchkey_login WHERE 1 = 0",
            "UPDATE latchkey_login SET sent_by = NULL WHERE 1 = 0",
            "DELETE FROM latchkey_login WHERE 1 = 0");

    static final String TABLES_MISSING =
            "The tables of revocations and logins are missing or do not match this version: run the script "
                    + "V1__latchkey.sql that auth-jdbc has for the database";

    /** The database's time in seconds since 1970. */
    private final String time;

    JdbcSchema(String time) {
        this.time = time;
    }

    /** The database's time, whatever the time zones of the session and of the driver. */
    static Instant now(JdbcClient jdbc) {
        JdbcSchema schema = jdbc.sql("SELECT 1")
                .query((row, number) -> of(row.getStatement().getConnection()))
                .single();
        Double seconds = jdbc.sql("SELECT " + schema.time).query(Double.class).single();
        return Instant.ofEpochSecond(seconds.longValue());
    }

    /**
     * The SQL dialect of the connected database.
     *
     * @param dataSource asked for its product over one connection
     * @return the schema with the right script
     * @throws IllegalStateException for a database without a script
     * @throws SQLException if the database does not answer
     */
    public static JdbcSchema of(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return of(connection);
        }
    }

    private static JdbcSchema of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MySQL", "MariaDB" -> MYSQL;
            case "H2" -> H2;
            default ->
                throw new IllegalStateException("Revocations and logins can be kept in PostgreSQL, MySQL, MariaDB "
                        + "and H2, and the DataSource is of " + product);
        };
    }

    /**
     * Whether the table of {@link JdbcRevocationStore} exists, with all columns of this version and all rights of this user.
     *
     * @param dataSource of a supported database
     * @return {@code false} if the table, a column or a right is missing
     * @throws DataAccessException if the database does not answer
     */
    public static boolean hasRevocations(DataSource dataSource) {
        return passes(TRIALS_OF_REVOCATIONS, dataSource);
    }

    /**
     * Whether the table of {@link JdbcLoginStore} exists, with all columns of this version and all rights of this user.
     *
     * @param dataSource of a supported database
     * @return {@code false} if the table, a column or a right is missing
     * @throws DataAccessException if the database does not answer
     */
    public static boolean hasLogins(DataSource dataSource) {
        return passes(TRIALS_OF_LOGINS, dataSource);
    }

    private static boolean passes(List<String> trials, DataSource dataSource) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        try {
            for (String trial : trials) {
                if (trial.startsWith("SELECT")) {
                    jdbc.sql(trial).query().listOfRows();
                } else {
                    jdbc.sql(trial).update();
                }
            }
            return true;
        } catch (BadSqlGrammarException e) {
            return false;
        }
    }

    /**
     * The script's place on the class path.
     *
     * @return a name for a class loader, without a leading slash
     */
    public String script() {
        return "dev/latchkey/auth/jdbc/" + name().toLowerCase(Locale.ROOT) + "/V1__latchkey.sql";
    }
}
