package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
 * A table {@code latchkey_api_key}; {@code schema-postgresql.sql}, {@code schema-mysql.sql}, {@code schema-mariadb.sql} and {@code schema-h2.sql} in the package above make
 * it.
 *
 * <p>Each write has a transaction of its own and is committed before the answer, so that what was revoked stays revoked where the caller's
 * transaction is rolled back. Each statement has a deadline.
 */
public final class JdbcApiKeyStore implements ApiKeyStore {

    /** A request waits no longer for a statement. */
    private static final int DEADLINE_SECONDS = 2;

    private static final String COLUMNS = "id, account, plugin, key_name, scopes, digest, former_digest, former_until,"
            + " created, expires, last_used";

    private static final String TABLE_MISSING =
            "The table latchkey_api_key is not there, or not as this version needs it: run the script"
                    + " dev/latchkey/plugins/apikeys/schema-….sql of the plugin's jar";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    /**
     * A store in this database, whose tables are there.
     *
     * @param dataSource a call takes one connection
     */
    public JdbcApiKeyStore(DataSource dataSource) {
        JdbcTemplate statements = new JdbcTemplate(dataSource);
        statements.setQueryTimeout(DEADLINE_SECONDS);
        this.jdbc = JdbcClient.create(statements);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @Override
    public Optional<StoredKey> find(String id) {
        return orUnavailable(() -> jdbc.sql("SELECT " + COLUMNS + " FROM latchkey_api_key WHERE id = ?")
                .param(id)
                .query(JdbcApiKeyStore::read)
                .optional());
    }

    @Override
    public List<StoredKey> ofAccount(String account) {
        return orUnavailable(
                () -> jdbc.sql("SELECT " + COLUMNS + " FROM latchkey_api_key WHERE account = ? ORDER BY created, id")
                        .param(account)
                        .query(JdbcApiKeyStore::read)
                        .list());
    }

    @Override
    public boolean insert(StoredKey key) {
        try {
            return write(
                            "INSERT INTO latchkey_api_key (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            key.id(),
                            key.owner().account(),
                            key.owner().plugin(),
                            key.name(),
                            String.join(" ", new TreeSet<>(key.scopes())),
                            key.digest(),
                            key.formerDigest(),
                            millis(key.formerUntil()),
                            millis(key.created()),
                            millis(key.expires()),
                            millis(key.lastUsed()))
                    == 1;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @Override
    public boolean rename(String account, String id, String name) {
        return write("UPDATE latchkey_api_key SET key_name = ? WHERE id = ? AND account = ?", name, id, account) == 1;
    }

    @Override
    public boolean rotate(
            String account, String id, String before, String after, Instant formerUntil, @Nullable Instant expires) {
        return write(
                        "UPDATE latchkey_api_key SET former_digest = ?, former_until = ?, digest = ?, expires = ?"
                                + " WHERE id = ? AND account = ? AND digest = ?",
                        before,
                        millis(formerUntil),
                        after,
                        millis(expires),
                        id,
                        account,
                        before)
                == 1;
    }

    @Override
    public void redigest(String id, String before, String after) {
        write("UPDATE latchkey_api_key SET digest = ? WHERE id = ? AND digest = ?", after, id, before);
    }

    @Override
    public void used(String id, Instant at, Instant unlessSince) {
        write(
                "UPDATE latchkey_api_key SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used <= ?)",
                millis(at),
                id,
                millis(unlessSince));
    }

    @Override
    public boolean delete(String account, String id) {
        return write("DELETE FROM latchkey_api_key WHERE id = ? AND account = ?", id, account) == 1;
    }

    @Override
    public int deleteIssuedUntil(String account, Instant last) {
        return write("DELETE FROM latchkey_api_key WHERE account = ? AND created <= ?", account, millis(last));
    }

    private int write(String sql, @Nullable Object... values) {
        Integer rows = orUnavailable(
                () -> transaction.execute(status -> jdbc.sql(sql).params(values).update()));
        return rows == null ? 0 : rows;
    }

    private static StoredKey read(ResultSet row, int number) throws SQLException {
        return new StoredKey(
                row.getString("id"),
                new KeyOwner(row.getString("account"), row.getString("plugin")),
                row.getString("key_name"),
                scopes(row.getString("scopes")),
                row.getString("digest"),
                row.getString("former_digest"),
                time(row, "former_until"),
                Instant.ofEpochMilli(row.getLong("created")),
                time(row, "expires"),
                time(row, "last_used"));
    }

    private static Set<String> scopes(String joined) {
        return joined.isEmpty() ? Set.of() : Set.of(joined.split(" "));
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }

    private static <T extends @Nullable Object> T orUnavailable(Supplier<T> question) {
        try {
            return question.get();
        } catch (DuplicateKeyException e) {
            throw e;
        } catch (BadSqlGrammarException e) {
            throw AuthUnavailableException.outage(TABLE_MISSING, e);
        } catch (DataAccessException | TransactionException e) {
            throw AuthUnavailableException.outage("The table latchkey_api_key cannot be asked", e);
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("A row of the table latchkey_api_key is no key", e);
        }
    }
}
