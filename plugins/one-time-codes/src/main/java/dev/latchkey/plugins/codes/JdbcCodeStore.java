package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A table {@code latchkey_one_time_codes}; {@code schema-postgresql.sql}, {@code schema-mysql.sql}, {@code schema-mariadb.sql} and {@code schema-h2.sql} beside this
 * class make it.
 *
 * <p>Each write has a transaction of its own and is committed before the answer. Otherwise a code would be good again where the
 * caller's transaction is rolled back, or where a pool's connections do not commit by themselves.
 */
public final class JdbcCodeStore implements CodeStore {

    /** A login waits no longer for a statement. */
    private static final int DEADLINE_SECONDS = 2;

    private static final String TABLE_MISSING =
            "The table latchkey_one_time_codes is not there, or not as this version needs it: run the script"
                    + " dev/latchkey/plugins/codes/schema-….sql of the plugin's jar";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    /**
     * A store in this database, whose tables are there.
     *
     * @param dataSource a call takes one connection
     */
    public JdbcCodeStore(DataSource dataSource) {
        JdbcTemplate statements = new JdbcTemplate(dataSource);
        statements.setQueryTimeout(DEADLINE_SECONDS);
        this.jdbc = JdbcClient.create(statements);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @Override
    public Optional<StoredCodes> find(String account) {
        return orUnavailable(() -> jdbc.sql("select revision, secret, last_step, recovery, devices, pending,"
                        + " pending_since, pending_failures from latchkey_one_time_codes where account = ?")
                .param(account)
                .query(JdbcCodeStore::read)
                .optional());
    }

    @Override
    public boolean insert(String account, StoredCodes codes) {
        try {
            return written(
                    "insert into latchkey_one_time_codes (revision, secret, last_step, recovery, devices, pending,"
                            + " pending_since, pending_failures, account) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
        return orUnavailable(() ->
                        transaction.execute(status -> jdbc.sql("delete from latchkey_one_time_codes where account = ?")
                                .param(account)
                                .update()))
                == 1;
    }

    private boolean written(String sql, StoredCodes codes, String... where) {
        return orUnavailable(() -> transaction.execute(status -> jdbc.sql(sql)
                        .param(codes.revision())
                        .param(codes.secret())
                        .param(codes.lastStep())
                        .param(String.join(",", codes.recovery()))
                        .param(String.join(",", codes.devices()))
                        .param(codes.pending())
                        .param(codes.pendingSince())
                        .param(codes.pendingFailures())
                        .params((Object[]) where)
                        .update()))
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

    private static <T> T orUnavailable(Supplier<T> question) {
        try {
            return question.get();
        } catch (DuplicateKeyException e) {
            throw e;
        } catch (BadSqlGrammarException e) {
            throw AuthUnavailableException.outage(TABLE_MISSING, e);
        } catch (DataAccessException | TransactionException e) {
            throw AuthUnavailableException.outage("The table latchkey_one_time_codes cannot be asked", e);
        }
    }
}
