package dev.latchkey.plugins.passkeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables {@code latchkey_passkey} and {@code latchkey_passkey_challenge}. The scripts {@code schema-postgresql.sql},
 * {@code schema-mysql.sql}, {@code schema-mariadb.sql} and {@code schema-h2.sql} in the parent package create the tables.
 *
 * <p>Each passkey of an account has a slot, and the database accepts a single passkey for each slot. So concurrent requests
 * cannot exceed the limit of passkeys. Each call has its own transaction, a deadline of {@link DatabaseCalls#DEADLINE}, and
 * a thread of this store, see {@link DatabaseCalls}.
 */
public final class JdbcPasskeyStore implements PasskeyStore {

    private static final String TABLE = "latchkey_passkey";

    private static final String COLUMNS =
            "id, account, plugin, handle, key_name, public_key, counter, verified, backup, created, last_used";

    private static final String SELECT = "SELECT " + COLUMNS + " FROM latchkey_passkey WHERE ";

    private static final String TABLE_MISSING =
            "A table latchkey_passkey or latchkey_passkey_challenge is missing or does not match this version: run the"
                    + " script dev/latchkey/plugins/passkeys/schema-….sql of the plugin's jar";

    private final DatabaseCalls database;

    /**
     * A store in a database with the tables.
     *
     * @param dataSource of the primary server; each call takes a connection, and at most four calls run at the same
     *     time
     */
    public JdbcPasskeyStore(DataSource dataSource) {
        this.database = DatabaseCalls.of(dataSource, TABLE_MISSING);
    }

    /**
     * Checks the tables at the start of a service. If the database does not answer, the check passes.
     *
     * @throws PluginConfigException if a table or a column is missing, or the database's user may not read a table; the
     *     message names the script
     */
    public void requireTables() {
        database.missingTables(
                        "SELECT slot, " + COLUMNS + " FROM latchkey_passkey WHERE 1 = 0",
                        "SELECT digest, valid_until FROM latchkey_passkey_challenge WHERE 1 = 0")
                .ifPresent(missing -> {
                    throw new PluginConfigException(missing);
                });
    }

    @Override
    public Optional<StoredPasskey> find(String id) {
        return find(id, database);
    }

    private static Optional<StoredPasskey> find(String id, DatabaseCalls calls) {
        return calls.read(
                TABLE,
                jdbc -> jdbc.sql(SELECT + "id = ?")
                        .param(id)
                        .query(JdbcPasskeyStore::passkey)
                        .optional());
    }

    @Override
    public List<StoredPasskey> ofAccount(String account) {
        return database.read(
                TABLE,
                jdbc -> jdbc.sql(SELECT + "account = ? ORDER BY created, id")
                        .param(account)
                        .query(JdbcPasskeyStore::passkey)
                        .list());
    }

    /**
     * Takes the lowest free slot. If another passkey took the slot first, the insertion looks again. All attempts together
     * have one deadline.
     */
    @Override
    public boolean insert(StoredPasskey key, int most) {
        long end = System.nanoTime() + DatabaseCalls.DEADLINE.toNanos();
        for (int races = 0; races <= MOST; races++) {
            try {
                return database.until(end).call(jdbc -> insert(jdbc, key, most));
            } catch (DuplicateKeyException e) {
                if (find(key.id(), database.until(end)).isPresent()) {
                    return false;
                }
            }
        }
        throw AuthUnavailableException.outage("Too many concurrent changes of the passkeys of an account");
    }

    private boolean insert(JdbcClient jdbc, StoredPasskey key, int most) {
        database.requirePrimary(jdbc, TABLE);
        List<Integer> taken = jdbc.sql("SELECT slot FROM latchkey_passkey WHERE account = ?")
                .param(key.account())
                .query(Integer.class)
                .list();
        if (taken.size() >= Math.min(most, MOST)) {
            return false;
        }
        int free = IntStream.range(0, MOST)
                .filter(slot -> !taken.contains(slot))
                .findFirst()
                .orElseThrow();
        return jdbc.sql("INSERT INTO latchkey_passkey (" + COLUMNS
                                + ", slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                        .params(
                                key.id(),
                                key.account(),
                                key.plugin(),
                                key.handle(),
                                key.name(),
                                key.key(),
                                key.counter(),
                                number(key.isUserVerified()),
                                number(key.isBackupEligible()),
                                key.created().toEpochMilli(),
                                millis(key.lastUsed()),
                                free)
                        .update()
                == 1;
    }

    @Override
    public boolean used(String id, long before, long now, Instant at) {
        return write(
                        "UPDATE latchkey_passkey SET counter = ?, last_used = ? WHERE id = ? AND counter = ?",
                        now,
                        at.toEpochMilli(),
                        id,
                        before)
                == 1;
    }

    @Override
    public boolean delete(String account, String id) {
        return write("DELETE FROM latchkey_passkey WHERE id = ? AND account = ?", id, account) == 1;
    }

    @Override
    public int deleteAll(String account) {
        return write("DELETE FROM latchkey_passkey WHERE account = ?", account);
    }

    @Override
    public boolean spend(String digest, Instant until, Instant now) {
        try {
            write(
                    "INSERT INTO latchkey_passkey_challenge (digest, valid_until) VALUES (?, ?)",
                    digest,
                    until.toEpochMilli());
        } catch (DuplicateKeyException e) {
            return false;
        }
        database.later(jdbc -> jdbc.sql("DELETE FROM latchkey_passkey_challenge WHERE valid_until < ?")
                .param(now.toEpochMilli())
                .update());
        return true;
    }

    private int write(String sql, @Nullable Object... values) {
        return database.call(jdbc -> jdbc.sql(sql).params(values).update());
    }

    private static StoredPasskey passkey(ResultSet row, int number) throws SQLException {
        long lastUsed = row.getLong("last_used");
        return new StoredPasskey(
                row.getString("id"),
                row.getString("account"),
                row.getString("plugin"),
                row.getString("handle"),
                row.getString("key_name"),
                row.getString("public_key"),
                row.getLong("counter"),
                row.getInt("verified") == 1,
                row.getInt("backup") == 1,
                Instant.ofEpochMilli(row.getLong("created")),
                lastUsed == 0 ? null : Instant.ofEpochMilli(lastUsed));
    }

    private static int number(boolean is) {
        return is ? 1 : 0;
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }
}
