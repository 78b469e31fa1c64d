package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Revocations in the table {@code latchkey_revocation}, shared by all nodes; {@link JdbcSchema} has the script.
 *
 * <p>A row belongs to one service, named in the column {@code service}, and has no effect on tokens and subjects of
 * other services.
 *
 * <p><b>Rows are inserted and never changed.</b> A revocation is one INSERT, so two nodes never conflict. A row of a
 * subject has a bound: tokens issued before the bound are revoked. The highest bound counts, so no call can lower a
 * bound. Each row's number is its position. A row may become visible up to {@link #lateness} after a row with a higher
 * number. If a later row covers an earlier row with the same id, the earlier row is deleted afterwards.
 *
 * <p><b>Bounded.</b> Since its last revocation, a subject has at most {@value #MOST_OF_ONE} rows for its tokens. A further
 * token revokes the whole subject, and the count begins again. The subject must log in again, and tokens issued within the
 * next {@link #CLOCK_DIFFERENCE} are revoked too. Expired rows are deleted in batches in the background, after
 * revocations.
 *
 * <p><b>Clocks.</b> A row is kept a minute longer than necessary, and is deleted only after its end by the node's clock
 * and by the database's clock ({@link Sweep}).
 *
 * <p>Each call has its own time limit and transaction, on one of four threads of this store. The reads of a copy have a
 * fifth thread. A failure is an outage, and its message contains no statements and no ids. Safe for use by any number of
 * threads.
 */
public final class JdbcRevocationStore implements SharedRevocationStore {

    /** The largest allowed difference between the clocks of two nodes. */
    static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    static final int MOST_OF_ONE = 1_000;

    /** With the index of service and seq, a reading of a quiet service does not scan the rows of other services. */
    static final String SELECT_AFTER =
            "SELECT seq, id, not_before, expires_at FROM latchkey_revocation WHERE service = ? AND seq > ? ORDER BY seq LIMIT ?";

    private static final String TABLE = "latchkey_revocation";

    /** The value in the column of bounds for a revocation without a bound. */
    private static final long NO_BOUND = 0;

    private final DatabaseCalls database;
    private final byte[] service;
    private final Duration longestLifetime;
    private final InstantSource clock;
    private final int mostOfOne;
    private final Sweep sweep;

    JdbcRevocationStore(
            DatabaseCalls database, ServiceName service, Duration longestLifetime, InstantSource clock, int mostOfOne) {
        if (longestLifetime.isNegative() || longestLifetime.isZero()) {
            throw new IllegalArgumentException(
                    "The longest lifetime of a token must be positive, got " + longestLifetime);
        }
        this.database = database;
        this.service = service.value().getBytes(StandardCharsets.US_ASCII);
        this.longestLifetime = longestLifetime;
        this.clock = clock;
        this.mostOfOne = mostOfOne;
        this.sweep = new Sweep(database, clock, JdbcRevocationStore::deleteOver);
    }

    private JdbcRevocationStore(DatabaseCalls database, JdbcRevocationStore of) {
        this.database = database;
        this.service = of.service;
        this.longestLifetime = of.longestLifetime;
        this.clock = of.clock;
        this.mostOfOne = of.mostOfOne;
        this.sweep = of.sweep;
    }

    @Override
    public SharedRevocationStore within(Duration longest) {
        return new JdbcRevocationStore(database.within(longest), this);
    }

    @Override
    public SharedRevocationStore forReading() {
        return new JdbcRevocationStore(database.onAThreadOfTheirOwn(), this);
    }

    /**
     * Creates a store for tokens with this longest lifetime, including the verifier's clock skew. A subject's
     * revocation is kept for the same time.
     *
     * @param dataSource of the primary; a call takes one connection, and at most five are used
     * @param service the owner of the revocations: revocations of other services in the same table have no effect
     * @param longestLifetime positive
     * @return a new store with its own threads; the database is not used yet
     * @throws IllegalArgumentException if the lifetime is not positive
     */
    public static JdbcRevocationStore in(DataSource dataSource, ServiceName service, Duration longestLifetime) {
        return in(dataSource, service, longestLifetime, InstantSource.system(), MOST_OF_ONE);
    }

    static JdbcRevocationStore in(
            DataSource dataSource, ServiceName service, Duration longestLifetime, InstantSource clock, int mostOfOne) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new JdbcRevocationStore(
                DatabaseCalls.of(dataSource, JdbcSchema.TABLES_MISSING), service, longestLifetime, clock, mostOfOne);
    }

    @Override
    public Revocation recordToken(String tokenId, Instant expiresAt) {
        return record(Revocation.ofToken(tokenId, expiresAt));
    }

    @Override
    public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        Revocation token = Revocation.ofToken(tokenId, expiresAt);
        if (isOver(token)) {
            return token;
        }
        IdDigest owner = IdDigest.ofSubject(subjectId);
        // A node with a fast clock may have dated the token ahead.
        Revocation subject = Revocation.ofSubject(subjectId, clock.instant().plus(CLOCK_DIFFERENCE), longestLifetime);
        // One call for both statements, because each call has its own time limit.
        return record(jdbc -> hasRoom(owner, jdbc) ? insert(token, owner, jdbc) : insert(subject, null, jdbc));
    }

    /** Counts the tokens after the last revocation of the subject, because this revocation covers the earlier tokens. */
    private boolean hasRoom(IdDigest owner, JdbcClient jdbc) {
        return jdbc.sql(
                                "SELECT count(*) FROM (SELECT 1 AS one FROM latchkey_revocation WHERE service = :service AND owner = :owner"
                                        + " AND seq > (SELECT coalesce(max(seq), 0) FROM latchkey_revocation WHERE service = :service AND id = :owner)"
                                        + " LIMIT :most) held")
                        .param("service", service)
                        .param("owner", owner.bytes())
                        .param("most", mostOfOne)
                        .query(Long.class)
                        .single()
                < mostOfOne;
    }

    @Override
    public Revocation recordSubject(String subjectId, Instant notBefore) {
        return record(Revocation.ofSubject(subjectId, notBefore, longestLifetime));
    }

    @Override
    public Instant notBefore(String subjectId) {
        return notBeforeOf(highest(IdDigest.ofSubject(subjectId)));
    }

    @Override
    public boolean isTokenRevoked(String tokenId) {
        return highest(IdDigest.ofToken(tokenId)) >= NO_BOUND;
    }

    @Override
    public List<Recorded> recordedAfter(long position, int most) {
        return database.read(
                TABLE,
                jdbc -> jdbc.sql(SELECT_AFTER)
                        .param(service)
                        .param(position)
                        .param(most)
                        .query((row, number) -> new Recorded(row.getLong("seq"), revocationOf(row)))
                        .list());
    }

    /**
     * Inserts the entries that no row covers. All nodes restore an emptied table at the same time. Without the SELECT, each
     * entry would have one row per node, and each reading would have as many rows.
     */
    @Override
    public void restore(List<Revocation> lost) {
        if (!lost.isEmpty()) {
            int unused = inserted(jdbc -> {
                // A demoted server may still have all the rows that the new primary has lost.
                database.requirePrimary(jdbc, TABLE);
                List<Revocation> missing = missing(lost, jdbc);
                return missing.isEmpty() ? 0 : insert(missing, jdbc);
            });
        }
    }

    /**
     * One statement with a SELECT for each id. PostgreSQL may keep the plan of the empty table. Such a plan of {@code IN} reads
     * the whole table at each call.
     */
    private List<Revocation> missing(List<Revocation> lost, JdbcClient jdbc) {
        List<Object> values = new ArrayList<>(2 * lost.size());
        for (Revocation each : lost) {
            values.add(service);
            values.add(each.id().bytes());
        }
        String select = "SELECT id, not_before, expires_at FROM latchkey_revocation WHERE service = ? AND id = ?";
        Set<Revocation> stored = jdbc.sql(String.join(" UNION ALL ", Collections.nCopies(lost.size(), select)))
                .params(values)
                .query((row, number) -> revocationOf(row))
                .set();
        return lost.stream()
                .filter(each -> stored.stream().noneMatch(row -> covers(row, each)))
                .toList();
    }

    private static boolean covers(Revocation stored, Revocation lost) {
        return stored.id().equals(lost.id())
                && !stored.notBefore().isBefore(lost.notBefore())
                && !stored.until().isBefore(lost.until());
    }

    /** One INSERT for all rows: an emptied table would take minutes with a round trip for each row. */
    private int insert(List<Revocation> missing, JdbcClient jdbc) {
        List<Object> values = new ArrayList<>(4 * missing.size());
        for (Revocation each : missing) {
            values.add(service);
            values.add(each.id().bytes());
            values.add(boundOf(each));
            values.add(each.until().getEpochSecond());
        }
        String rows = String.join(", ", Collections.nCopies(missing.size(), "(?, ?, ?, ?)"));
        long highest = highestPosition(jdbc);
        int inserted = jdbc.sql("INSERT INTO latchkey_revocation (service, id, not_before, expires_at) VALUES " + rows)
                .params(values)
                .update();
        RowNumbers.requireGrowth(TABLE, highest, highestPosition(jdbc));
        return inserted;
    }

    /** Deletes a batch of expired rows and returns the number of rows. */
    int sweep() {
        return sweep.now();
    }

    private Revocation record(Revocation revocation) {
        return isOver(revocation) ? revocation : record(jdbc -> insert(revocation, null, jdbc));
    }

    private Revocation record(Function<JdbcClient, Recorded> insert) {
        Recorded row = inserted(insert);
        database.later(jdbc -> deleteEarlier(row.position(), row.revocation(), jdbc));
        sweep.ifDue();
        return row.revocation();
    }

    private <T> T inserted(Function<JdbcClient, T> insert) {
        try {
            return database.call(insert);
        } catch (DuplicateKeyException e) {
            throw RowNumbers.behind(TABLE);
        }
    }

    private boolean isOver(Revocation revocation) {
        return !revocation.until().isAfter(clock.instant().minus(Sweep.KEPT_LONGER));
    }

    /** The highest bound of the rows with this id: 0 for a revoked token, negative without any row. */
    private long highest(IdDigest id) {
        return database.read(
                TABLE,
                jdbc -> jdbc.sql(
                                "SELECT coalesce(max(not_before), -1) FROM latchkey_revocation WHERE service = ? AND id = ?")
                        .param(service)
                        .param(id.bytes())
                        .query(Long.class)
                        .single());
    }

    private Recorded insert(Revocation revocation, @Nullable IdDigest owner, JdbcClient jdbc) {
        long highest = highestPosition(jdbc);
        StatementSpec row = jdbc.sql(
                        "INSERT INTO latchkey_revocation (service, id, owner, not_before, expires_at) VALUES (:service, :id, :owner, :bound, :until)")
                .param("service", service)
                .param("id", revocation.id().bytes())
                .param("owner", owner == null ? null : owner.bytes(), Types.BINARY)
                .param("bound", boundOf(revocation))
                .param("until", revocation.until().getEpochSecond());
        return new Recorded(RowNumbers.insert(row, TABLE, highest), revocation);
    }

    /** The highest number of the committed rows of all services, and of this transaction's own rows. */
    private static long highestPosition(JdbcClient jdbc) {
        return jdbc.sql("SELECT coalesce(max(seq), 0) FROM latchkey_revocation")
                .query(Long.class)
                .single();
    }

    /** A bound before 1970 has no effect. Its value must still differ from the value for no bound. */
    private static long boundOf(Revocation revocation) {
        Instant bound = revocation.notBefore();
        return bound.equals(Instant.MIN) ? NO_BOUND : Math.max(NO_BOUND + 1, bound.getEpochSecond());
    }

    private int deleteEarlier(long position, Revocation revocation, JdbcClient jdbc) {
        return jdbc.sql(
                        "DELETE FROM latchkey_revocation WHERE service = :service AND id = :id AND seq < :seq AND not_before <= :bound AND expires_at <= :until")
                .param("service", service)
                .param("id", revocation.id().bytes())
                .param("seq", position)
                .param("bound", boundOf(revocation))
                .param("until", revocation.until().getEpochSecond())
                .update();
    }

    private static int deleteOver(Instant before, JdbcClient jdbc) {
        List<Long> over = jdbc.sql(
                        "SELECT seq FROM latchkey_revocation WHERE expires_at < ? ORDER BY expires_at LIMIT ?")
                .param(before.getEpochSecond())
                .param(Sweep.AT_ONCE)
                .query(Long.class)
                .list();
        if (!over.isEmpty()) {
            jdbc.sql("DELETE FROM latchkey_revocation WHERE seq IN (:over)")
                    .param("over", over)
                    .update();
        }
        return over.size();
    }

    /** A row written by hand may have a short id. Such a row revokes nothing, and the other rows stay readable. */
    private static Revocation revocationOf(ResultSet row) throws SQLException {
        return new Revocation(
                IdDigest.of(Arrays.copyOf(row.getBytes("id"), IdDigest.BYTES)),
                notBeforeOf(row.getLong("not_before")),
                timeOf(row.getLong("expires_at")));
    }

    private static Instant notBeforeOf(long bound) {
        return bound > NO_BOUND ? timeOf(bound) : Instant.MIN;
    }

    /** The nearest possible instant, because a row written by hand may have any number. */
    private static Instant timeOf(long seconds) {
        long latest = Math.min(seconds, Instant.MAX.getEpochSecond());
        return Instant.ofEpochSecond(Math.max(latest, Instant.MIN.getEpochSecond()));
    }
}
