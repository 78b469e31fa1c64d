package dev.latchkey.auth.jdbc;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.testsupport.Acknowledgements;
import dev.latchkey.testsupport.Acknowledgements.Store;
import dev.latchkey.testsupport.CuttingProxy;
import dev.latchkey.testsupport.FreePort;
import dev.latchkey.testsupport.StoreNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with copies on a real PostgreSQL: a restart, cut connections, lost rows, late rows. */
@Timeout(120)
@Tag("long")
class RestartedDatabaseTest {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration APART = Duration.ofSeconds(5);
    private static final int SOME = 100;
    private static final int CUTS = 20;

    private final Instant end = Instant.now().plus(LIFETIME);

    @TempDir
    private Path folder;

    @Test
    void databaseThatIsStoppedAndStarted_costsNoAcknowledgement() throws Exception {
        int port = FreePort.next();
        EmbeddedPostgres server = server(port);
        try (StoreNode one = node(port, Duration.ZERO);
                StoreNode ahead = node(port, APART);
                StoreNode behind = node(port, APART.negated());
                Acknowledgements told = new Acknowledgements(Store.LOSES_NOTHING, one, ahead, behind)
                        .revoking()
                        .prolonging()) {
            told.awaitMore(SOME);
            server.close();
            until(() -> Stream.of(one, ahead, behind)
                    .noneMatch(node -> node.copy().status().isAnswering()));
            assertThat(one.answer("never-revoked")).isEqualTo(StoreNode.Answer.OUTAGE);
            server = server(port);
            told.awaitMore(SOME);
            assertThat(told.outages()).isPositive();
            try (StoreNode later = node(port, Duration.ZERO)) {
                told.assertKeptBy(one, ahead, behind, later);
            }
        } finally {
            server.close();
        }
    }

    @Test
    @Tag("faults")
    void connectionsThatAreCutInTheMiddle_costNoAcknowledgement() throws Exception {
        EmbeddedPostgres server = server(FreePort.next());
        try (CuttingProxy proxy = new CuttingProxy(server.getPort());
                StoreNode one = node(proxy.port(), Duration.ZERO);
                StoreNode ahead = node(proxy.port(), APART);
                Acknowledgements told = new Acknowledgements(Store.LOSES_NOTHING, one, ahead)
                        .revoking()
                        .prolonging()) {
            told.awaitMore(SOME);
            proxy.cutFromNowOn();
            until(() -> proxy.cuts() >= CUTS);
            proxy.cutNoMore();
            told.awaitMore(SOME);
            assertThat(told.outages()).isPositive();
            try (StoreNode later = node(server.getPort(), Duration.ZERO)) {
                told.assertKeptBy(one, ahead, later);
            }
        } finally {
            server.close();
        }
    }

    @Test
    void emptiedTables_areFilledFromTheCopies_alsoWherePositionsBeginAnew() throws Exception {
        TestDatabase database = PostgresServer.database();
        LocalRevocations one = copy(database);
        LocalRevocations other = copy(database);
        one.revokeToken("t1", end);
        other.revokeSubject("ada", end);
        one.refresh();
        other.refresh();
        database.execute("TRUNCATE latchkey_revocation RESTART IDENTITY");
        other.refresh();
        one.refresh();
        LocalRevocations later = copy(database);
        later.revokeToken("t2", end);
        one.refresh();
        other.refresh();
        for (LocalRevocations each : List.of(one, other, later, copy(database))) {
            assertThat(each.isTokenRevoked("t1")).isTrue();
            assertThat(each.isTokenRevoked("t2")).isTrue();
            assertThat(each.notBefore("ada")).isAfter(end);
        }
    }

    @Test
    void rowThatIsCommittedAfterOneOfAHigherNumber_isRead() throws Exception {
        TestDatabase database = PostgresServer.database();
        LocalRevocations copy = copy(database);
        try (Connection late = database.getConnection();
                PreparedStatement insert = late.prepareStatement(
                        "INSERT INTO latchkey_revocation (service, id, not_before, expires_at) VALUES (convert_to('shop', 'UTF8'), ?, 0, ?)")) {
            late.setAutoCommit(false);
            insert.setBytes(1, IdDigest.ofToken("late").bytes());
            insert.setLong(2, end.getEpochSecond());
            insert.executeUpdate();
            JdbcRevocationStore.in(database, TestDatabase.SHOP, LIFETIME).revokeToken("early", end);
            copy.refresh();
            copy.refresh();
            assertThat(copy.isTokenRevoked("early")).isTrue();
            assertThat(copy.isTokenRevoked("late")).isFalse();
            late.commit();
            late.setAutoCommit(true);
        }
        copy.refresh();
        assertThat(copy.isTokenRevoked("late")).isTrue();
    }

    private static LocalRevocations copy(TestDatabase database) {
        LocalRevocations copy = LocalRevocations.of(
                JdbcRevocationStore.in(database, TestDatabase.SHOP, LIFETIME),
                // Fresh for long, so the copy answers from its own content.
                LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMinutes(10)));
        copy.refresh();
        return copy;
    }

    /** With the data of an earlier server, if present. */
    private EmbeddedPostgres server(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** With a pool of its own and existing tables. */
    private static StoreNode node(int port, Duration ahead) throws SQLException {
        TestDatabase database = TestDatabase.made("jdbc:postgresql://localhost:" + port + "/postgres", "postgres")
                .with(JdbcSchema.POSTGRESQL);
        InstantSource clock = InstantSource.offset(InstantSource.system(), ahead);
        return StoreNode.started(
                JdbcRevocationStore.in(database, TestDatabase.SHOP, LIFETIME, clock, JdbcRevocationStore.MOST_OF_ONE),
                JdbcLoginStore.in(database, TestDatabase.SHOP, clock),
                database::close);
    }
}
