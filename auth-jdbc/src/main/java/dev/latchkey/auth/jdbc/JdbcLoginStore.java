package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginStore;
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

/**
 * Logins in the table {@code latchkey_login}, which all nodes share; {@link JdbcSchema} has the script.
 *
 * <p>A row belongs to a service, by its name in the column {@code service}: no other service finds, replaces or deletes it, unless it is over.
 *
 * <p>Each step is one statement: a login is replaced by an UPDATE whose condition holds the expected hash, so the database decides which of several
 * was first. A login is found by the digest of its id. Of tokens there are the hashes that {@link StoredLogin} has, and nothing with which anybody
 * could log in. Texts are kept as their UTF-8, in columns of bytes: no collation compares them, and a byte of zero is no end.
 *
 * <p><b>A replacement that nobody was told of.</b> A call that ends in an outage may have replaced a token all the same: its commit took place, and the connection broke before that was said, or the
 * caller had given up. Its owner knows the token before it only. So each who puts a token there is named beside it, and takes the name away, behind the commit and on its thread, where its caller was told nothing. Where none is
 * left, nobody has that token, and the one before it is as good as one that was never used: the login is found as one that was replaced just now, however long ago it was. A name that could not be taken
 * away, since the database was not there to do it, leaves the time of the replacement.
 *
 * <p>An account has {@value LoginStore#MOST_OF_OWNER} logins, of which the oldest makes room. Logins that are over are deleted a batch at a time, on the way
 * of new ones ({@link Sweep}).
 *
 * <p>Each call has a deadline and a transaction of its own, on a thread of this store. Safe for use by any number of threads.
 */
public final class JdbcLoginStore implements LoginStore {

    private final DatabaseCalls database;
    private final byte[] service;
    private final InstantSource clock;
    private final Sweep sweep;

    JdbcLoginStore(DatabaseCalls database, ServiceName service, InstantSource clock) {
        this.database = database;
        this.service = LoginRow.utf8(service.value());
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
     * A store in this database.
     *
     * @param dataSource of the primary; a call takes one connection, and four are taken at most
     * @param service whose logins they are: those of other services in the same table are not found
     * @return a store of its own, with its own threads; nothing is asked of the database yet
     */
    public static JdbcLoginStore in(DataSource dataSource, ServiceName service) {
        return in(dataSource, service, InstantSource.system());
    }

    static JdbcLoginStore in(DataSource dataSource, ServiceName service, InstantSource clock) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcLoginStore(DatabaseCalls.of(dataSource, JdbcSchema.TABLES_MISSING), service, clock);
    }

    /** @throws IllegalArgumentException if one of its texts is no text, or longer than a column */
    @Override
    public void start(StoredLogin login) {
        LoginRow row = LoginRow.of(login);
        database.call(jdbc -> {
            row.bind(jdbc.sql(LoginRow.INSERT)).param("service", service).update();
            return forgetOldest(row.owner(), jdbc);
        });
        sweep.ifDue();
    }

    /** In the order of the database's own numbers, which no clock changes. */
    @Override
    public List<StoredLogin> ofOwner(StoredLogin.Owner owner) {
        byte[] key = LoginRow.digestOf(owner).bytes();
        Instant now = clock.instant();
        return database.call(jdbc -> jdbc.sql(LoginRow.SELECT
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
        byte[] key = LoginRow.keyOf(id);
        Instant now = clock.instant();
        return database.call(jdbc -> jdbc.sql(LoginRow.SELECT + "WHERE id = ? AND service = ?")
                .param(key)
                .param(service)
                .query((row, number) -> LoginRow.read(row, now))
                .optional());
    }

    /** @throws IllegalArgumentException if one of its texts is no text, or longer than a column */
    @Override
    public boolean replace(String expectedTokenHash, StoredLogin next) {
        LoginRow row = LoginRow.of(next);
        byte[] expected = LoginRow.utf8(expectedTokenHash);
        String update = expectedTokenHash.equals(next.tokenHash()) ? LoginRow.REPEAT : LoginRow.REPLACE;
        String teller =
                " " + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return database.call(
                jdbc -> row.bind(jdbc.sql(update))
                                .param("service", service)
                                .param("expected", expected)
                                .param("teller", teller)
                                .update()
                        > 0,
                jdbc -> jdbc.sql(LoginRow.NOT_TOLD)
                        .param("service", service)
                        .param("teller", teller)
                        .param("id", row.id().bytes())
                        .param("token_hash", LoginRow.utf8(next.tokenHash()))
                        .update());
    }

    @Override
    public boolean end(String id) {
        byte[] key = LoginRow.keyOf(id);
        return database.call(jdbc -> jdbc.sql("DELETE FROM latchkey_login WHERE id = ? AND service = ?")
                        .param(key)
                        .param(service)
                        .update()
                > 0);
    }

    /** Deletes one batch of logins that are over; how many those were. */
    int sweep() {
        return sweep.now();
    }

    private int forgetOldest(IdDigest owner, JdbcClient jdbc) {
        List<byte[]> oldest = jdbc.sql(
                        "SELECT id FROM latchkey_login WHERE owner = ? AND service = ? ORDER BY seq DESC LIMIT ? OFFSET ?")
                .param(owner.bytes())
                .param(service)
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

    /** Those of all services: one that is gone leaves nothing for ever. */
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
