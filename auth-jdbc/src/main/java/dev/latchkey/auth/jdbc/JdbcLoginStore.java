package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.LoginValues;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Sessions in the table {@code latchkey_login}, shared by all nodes; {@link JdbcSchema} has the script.
 *
 * <p>A row belongs to one service, named in the column {@code service}: no other service finds, replaces or deletes the
 * row before its expiry.
 *
 * <p>A replacement is one UPDATE with the expected hash in its condition, so the database decides between simultaneous
 * calls. A session is found by the digest of its id. The table contains only the token hashes of {@link StoredLogin}. A
 * token hash does not allow a login. Texts are stored as UTF-8 in columns of bytes: no collation applies, and a zero
 * byte does not end a text.
 *
 * <p><b>A replacement unknown to every client.</b> A call may replace a token and still end in an outage: the
 * connection breaks after the commit, or the caller stops waiting. The client then knows only the old token. Therefore
 * each write of a token stores a random number as its name. After an outage, the node removes the name of its write, on
 * the thread of the commit. If no name is left, no client has the new token, and the old token counts as unused.
 * {@link #find} then returns the session as replaced just now. If the database was unavailable for the removal, the
 * stored time of the replacement applies.
 *
 * <p>An account has at most {@value LoginStore#MOST_OF_OWNER} sessions; a new session replaces an expired session or
 * the oldest. Expired sessions are deleted in batches in the background, after the start of new sessions ({@link Sweep}).
 *
 * <p>Each call has its own time limit and transaction, on a thread of this store. Safe for use by any number of
 * threads.
 */
public final class JdbcLoginStore implements LoginStore {

    private static final String TABLE = "latchkey_login";

    private final DatabaseCalls database;
    private final byte[] service;
    private final InstantSource clock;
    private final Sweep sweep;

    JdbcLoginStore(DatabaseCalls database, ServiceName service, InstantSource clock) {
        this.database = database;
        this.service = LoginValues.utf8(service.value());
        this.clock = clock;
        this.sweep = new Sweep(database, clock, JdbcLoginStore::deleteOver);
    }

    private JdbcLoginStore(DatabaseCalls database, JdbcLoginStore of) {
        this.database = database;
        this.service = of.service;
        this.clock = of.clock;
        this.sweep = of.sweep;
    }

    @Override
    public LoginStore within(Duration longest) {
        return new JdbcLoginStore(database.within(longest), this);
    }

    /**
     * Creates a store in this database.
     *
     * @param dataSource of the primary; a call takes one connection, and at most four are used
     * @param service the owner of the sessions: sessions of other services in the same table are not found
     * @return a new store with its own threads; the database is not used yet
     */
    public static JdbcLoginStore in(DataSource dataSource, ServiceName service) {
        return in(dataSource, service, InstantSource.system());
    }

    static JdbcLoginStore in(DataSource dataSource, ServiceName service, InstantSource clock) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcLoginStore(DatabaseCalls.of(dataSource, JdbcSchema.TABLES_MISSING), service, clock);
    }

    /** @throws IllegalArgumentException if a text is malformed, or longer than a column */
    @Override
    public void start(StoredLogin login) {
        LoginRow row = LoginRow.of(login);
        database.call(
                jdbc -> {
                    long highest = highestNumberOf(row.owner(), jdbc);
                    StatementSpec insert = row.bind(jdbc.sql(LoginRow.INSERT)).param("service", service);
                    long unused = RowNumbers.insert(insert, TABLE, highest);
                    return forgetOldest(row.owner(), jdbc);
                },
                // A session that no client received would count against its account's limit.
                jdbc -> delete(login.id(), jdbc));
        sweep.ifDue();
    }

    /** The newest session is first, by the number of its row and independent of clocks. */
    @Override
    public List<StoredLogin> ofOwner(String subjectId) {
        byte[] key = IdDigest.ofOwner(subjectId).bytes();
        Instant now = clock.instant();
        return database.read(
                TABLE,
                jdbc -> jdbc.sql(LoginRow.SELECT
                                + "WHERE service = ? AND owner = ? AND expires_at > ? ORDER BY seq DESC LIMIT ?")
                        .param(service)
                        .param(key)
                        .param(now.toEpochMilli())
                        .param(MOST_OF_OWNER)
                        .query((row, number) -> LoginRow.read(row, now))
                        .list());
    }

    @Override
    public Optional<StoredLogin> find(String id) {
        byte[] key = IdDigest.ofLogin(id).bytes();
        Instant now = clock.instant();
        return database.read(
                TABLE,
                jdbc -> jdbc.sql(LoginRow.SELECT + "WHERE id = ? AND service = ?")
                        .param(key)
                        .param(service)
                        .query((row, number) -> LoginRow.read(row, now))
                        .optional());
    }

    /** @throws IllegalArgumentException if a text is malformed, or longer than a column */
    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        LoginRow row = LoginRow.of(next);
        byte[] expected = LoginValues.utf8(expectedTokenHash);
        String update = expectedTokenHash.equals(next.tokenHash()) ? LoginRow.REPEAT : LoginRow.REPLACE;
        String sender =
                " " + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return database.call(
                jdbc -> row.bind(jdbc.sql(update))
                                .param("service", service)
                                .param("expected", expected)
                                .param("sender", sender)
                                .update()
                        > 0,
                jdbc -> jdbc.sql(LoginRow.NOT_SENT)
                        .param("service", service)
                        .param("sender", sender)
                        .param("id", row.id().bytes())
                        .param("token_hash", LoginValues.utf8(next.tokenHash()))
                        .update());
    }

    @Override
    public boolean end(String id) {
        return database.call(jdbc -> delete(id, jdbc) > 0);
    }

    private int delete(String id, JdbcClient jdbc) {
        return jdbc.sql("DELETE FROM latchkey_login WHERE id = ? AND service = ?")
                .param(IdDigest.ofLogin(id).bytes())
                .param(service)
                .update();
    }

    /** Deletes a batch of expired sessions and returns the number of sessions. */
    int sweep() {
        return sweep.now();
    }

    private long highestNumberOf(IdDigest owner, JdbcClient jdbc) {
        return jdbc.sql("SELECT coalesce(max(seq), 0) FROM latchkey_login WHERE owner = ? AND service = ?")
                .param(owner.bytes())
                .param(service)
                .query(Long.class)
                .single();
    }

    /** Deletes expired sessions before the oldest. The table contains expired sessions until a {@link Sweep}. */
    private int forgetOldest(IdDigest owner, JdbcClient jdbc) {
        List<byte[]> oldest = jdbc.sql("SELECT id FROM latchkey_login WHERE owner = ? AND service = ? "
                        + "ORDER BY CASE WHEN expires_at > ? THEN 0 ELSE 1 END, seq DESC LIMIT ? OFFSET ?")
                .param(owner.bytes())
                .param(service)
                .param(clock.instant().toEpochMilli())
                .param(MOST_OF_OWNER)
                .param(MOST_OF_OWNER)
                .query((row, number) -> row.getBytes(1))
                .list();
        return oldest.isEmpty()
                ? 0
                : jdbc.sql("DELETE FROM latchkey_login WHERE id IN (:ids) AND service = :service")
                        .param("ids", oldest)
                        .param("service", service)
                        .update();
    }

    /** Deletes sessions of all services, so that a removed service leaves no rows for ever. */
    private static int deleteOver(Instant before, JdbcClient jdbc) {
        List<byte[]> over = jdbc.sql("SELECT id FROM latchkey_login WHERE expires_at < ? ORDER BY expires_at LIMIT ?")
                .param(before.toEpochMilli())
                .param(Sweep.AT_ONCE)
                .query((row, number) -> row.getBytes(1))
                .list();
        if (!over.isEmpty()) {
            jdbc.sql("DELETE FROM latchkey_login WHERE id IN (:ids) AND expires_at < :before")
                    .param("ids", over)
                    .param("before", before.toEpochMilli())
                    .update();
        }
        return over.size();
    }
}
