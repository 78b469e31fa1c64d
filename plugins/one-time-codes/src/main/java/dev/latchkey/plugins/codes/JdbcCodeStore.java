package dev.latchkey.plugins.codes;

import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;

/**
 * The table {@code latchkey_one_time_codes}. The scripts {@code schema-postgresql.sql}, {@code schema-mysql.sql},
 * {@code schema-mariadb.sql} and {@code schema-h2.sql} beside this class create the table.
 *
 * <p>Each call has its own transaction, a deadline of {@link DatabaseCalls#DEADLINE}, and a thread of this store, see
 * {@link DatabaseCalls}. Therefore a used code stays used even if the caller's transaction is rolled back.
 */
public final class JdbcCodeStore implements CodeStore {

    private static final String COLUMNS =
            "revision, secret, last_step, recovery, devices, pending, pending_since, pending_failures";

    private static final String TABLE_MISSING =
            "The table latchkey_one_time_codes is missing or does not match this version: run the script"
                    + " dev/latchkey/plugins/codes/schema-….sql of the plugin's jar";

    private final DatabaseCalls database;

    /**
     * A store in this database. The table must exist.
     *
     * @param dataSource of the primary server; each call takes a connection, and at most four calls run at the same
     *     time
     */
    public JdbcCodeStore(DataSource dataSource) {
        this.database = DatabaseCalls.of(dataSource, TABLE_MISSING);
    }

    /**
     * Checks the table at the start of a service. If the database does not answer, the check passes.
     *
     * @throws PluginConfigException if the table or a column is missing, or the database's user may not read the table;
     *     the message names the script
     */
    public void requireTables() {
        database.missingTables("select account, " + COLUMNS + " from latchkey_one_time_codes where 1 = 0")
                .ifPresent(missing -> {
                    throw new PluginConfigException(missing);
                });
    }

    @Override
    public Optional<StoredCodes> find(String account) {
        return database.read(
                "latchkey_one_time_codes",
                jdbc -> jdbc.sql("select " + COLUMNS + " from latchkey_one_time_codes where account = ?")
                        .param(account)
                        .query(JdbcCodeStore::read)
                        .optional());
    }

    @Override
    public boolean insert(String account, StoredCodes codes) {
        try {
            return written(
                    "insert into latchkey_one_time_codes (" + COLUMNS + ", account) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    codes,
                    account);
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @Override
    public boolean update(String account, String revision, StoredCodes codes) {
        return written(
                "update latchkey_one_time_codes set revision = ?, secret = ?, last_step = ?, recovery = ?,"
                        + " devices = ?, pending = ?, pending_since = ?, pending_failures = ? where account = ? and revision = ?",
                codes,
                account,
                revision);
    }

    @Override
    public boolean delete(String account) {
        return database.call(jdbc -> jdbc.sql("delete from latchkey_one_time_codes where account = ?")
                        .param(account)
                        .update())
                == 1;
    }

    private boolean written(String sql, StoredCodes codes, String... conditions) {
        return database.call(jdbc -> jdbc.sql(sql)
                        .param(codes.revision())
                        .param(codes.secret())
                        .param(codes.lastStep())
                        .param(String.join(",", codes.recovery()))
                        .param(String.join(",", codes.devices()))
                        .param(codes.pending())
                        .param(codes.pendingSince())
                        .param(codes.pendingFailures())
                        .params((Object[]) conditions)
                        .update())
                == 1;
    }

    private static StoredCodes read(ResultSet row, int number) throws SQLException {
        return new StoredCodes(
                row.getString("revision"),
                row.getString("secret"),
                row.getLong("last_step"),
                listOf(row.getString("recovery")),
                listOf(row.getString("devices")),
                row.getString("pending"),
                row.getLong("pending_since"),
                row.getInt("pending_failures"));
    }

    private static List<String> listOf(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }
}
