package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.LoginValues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The table {@code latchkey_api_key}. The scripts {@code schema-postgresql.sql}, {@code schema-mysql.sql},
 * {@code schema-mariadb.sql} and {@code schema-h2.sql} in the parent package create the table.
 *
 * <p>Each call has its own transaction, a deadline of {@link DatabaseCalls#DEADLINE}, and a thread of this store, see
 * {@link DatabaseCalls}. Therefore a revoked key stays revoked even if the caller's transaction is rolled back.
 */
public final class JdbcApiKeyStore implements ApiKeyStore {

    private static final String COLUMNS = "id, account, plugin, key_name, scopes, digest, former_digest, former_until,"
            + " created, expires, last_used";

    private static final String TABLE = "latchkey_api_key";

    private static final String TABLE_MISSING =
            "The table latchkey_api_key is missing or does not match this version: run the script"
                    + " dev/latchkey/plugins/apikeys/schema-….sql of the plugin's jar";

    private final DatabaseCalls database;

    /**
     * A store in this database. The table must exist.
     *
     * @param dataSource of the primary server; each call takes a connection, and at most four calls run at the same
     *     time
     */
    public JdbcApiKeyStore(DataSource dataSource) {
        this.database = DatabaseCalls.of(dataSource, TABLE_MISSING);
    }

    /**
     * Checks the table at the start of a service. If the database does not answer, the check passes.
     *
     * @throws PluginConfigException if the table or a column is missing, or the database's user may not read the table;
     *     the message names the script
     */
    public void requireTables() {
        database.missingTables("SELECT " + COLUMNS + ", slot FROM latchkey_api_key WHERE 1 = 0")
                .ifPresent(missing -> {
                    throw new PluginConfigException(missing);
                });
    }

    @Override
    public Optional<StoredKey> find(String id) {
        return find(id, database);
    }

    private static Optional<StoredKey> find(String id, DatabaseCalls calls) {
        return read(
                calls,
                jdbc -> jdbc.sql("SELECT " + COLUMNS + " FROM latchkey_api_key WHERE id = ?")
                        .param(id)
                        .query(JdbcApiKeyStore::key)
                        .optional());
    }

    @Override
    public List<StoredKey> ofAccount(String account) {
        return read(
                database,
                jdbc -> jdbc.sql("SELECT " + COLUMNS + " FROM latchkey_api_key WHERE account = ? ORDER BY created, id")
                        .param(account)
                        .query(JdbcApiKeyStore::key)
                        .list());
    }

    /**
     * Each key of an account has a slot, and the database accepts a single key for each slot. An insertion takes the
     * lowest free slot. If another key took the slot first, the insertion looks again. All attempts together have one
     * deadline.
     */
    @Override
    public Insertion insert(StoredKey key, int most) {
        long end = System.nanoTime() + DatabaseCalls.DEADLINE.toNanos();
        for (int races = 0; races <= most; races++) {
            try {
                return database.until(end).call(jdbc -> insert(key, most, jdbc), jdbc -> deleteUntold(key, jdbc));
            } catch (DuplicateKeyException e) {
                if (find(key.id(), database.until(end)).isPresent()) {
                    return Insertion.ID_EXISTS;
                }
            }
        }
        throw AuthUnavailableException.outage("Too many concurrent changes of the API keys of an account");
    }

    private Insertion insert(StoredKey key, int most, JdbcClient jdbc) {
        database.requirePrimary(jdbc, TABLE);
        List<Integer> taken = jdbc.sql("SELECT slot FROM latchkey_api_key WHERE account = ? ORDER BY slot")
                .param(key.owner().account())
                .query(Integer.class)
                .list();
        if (taken.size() >= most) {
            return Insertion.NO_ROOM;
        }
        jdbc.sql("INSERT INTO latchkey_api_key (" + COLUMNS + ", slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
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
                        millis(key.lastUsed()),
                        lowestFree(taken))
                .update();
        return Insertion.DONE;
    }

    /** @param taken in ascending order */
    private static int lowestFree(List<Integer> taken) {
        int free = 0;
        while (free < taken.size() && taken.get(free) == free) {
            free++;
        }
        return free;
    }

    /** Runs after an outage during the issue: the owner did not get the key. */
    private static int deleteUntold(StoredKey key, JdbcClient jdbc) {
        return jdbc.sql("DELETE FROM latchkey_api_key WHERE id = ? AND digest = ?")
                .param(key.id())
                .param(key.digest())
                .update();
    }

    @Override
    public boolean rename(String account, String id, String name) {
        return write("UPDATE latchkey_api_key SET key_name = ? WHERE id = ? AND account = ?", name, id, account) == 1
                || has(account, id);
    }

    /** With {@code useAffectedRows=true}, MySQL does not count a row that has the new name already. */
    private boolean has(String account, String id) {
        return database.call(jdbc -> jdbc.sql("SELECT count(*) FROM latchkey_api_key WHERE id = ? AND account = ?")
                        .params(id, account)
                        .query(Integer.class)
                        .single())
                == 1;
    }

    /** After an outage, the row is as before: the owner did not get the new secret. */
    @Override
    public boolean replaceSecrets(StoredKey before, StoredKey after) {
        return database.call(jdbc -> setSecrets(before, after, jdbc), jdbc -> setSecrets(after, before, jdbc)) == 1;
    }

    /** A late commit must stay: the owner did not get the new secret. Therefore the undo itself is never undone. */
    @Override
    public void undoReplacement(StoredKey before, StoredKey after) {
        database.call(jdbc -> setSecrets(after, before, jdbc));
    }

    private static int setSecrets(StoredKey present, StoredKey wanted, JdbcClient jdbc) {
        return jdbc.sql("UPDATE latchkey_api_key SET former_digest = ?, former_until = ?, digest = ?, expires = ?"
                        + " WHERE id = ? AND account = ? AND digest = ?")
                .params(
                        wanted.formerDigest(),
                        millis(wanted.formerUntil()),
                        wanted.digest(),
                        millis(wanted.expires()),
                        present.id(),
                        present.owner().account(),
                        present.digest())
                .update();
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
        return database.call(jdbc -> jdbc.sql(sql).params(values).update());
    }

    private static <T> T read(DatabaseCalls calls, Function<JdbcClient, T> question) {
        try {
            return calls.read(TABLE, question);
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage("A row of the table latchkey_api_key is not a valid key", e);
        }
    }

    private static StoredKey key(ResultSet row, int number) throws SQLException {
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
        return time == null ? null : LoginValues.millis(time);
    }
}
