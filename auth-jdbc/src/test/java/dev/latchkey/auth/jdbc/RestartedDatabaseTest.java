package dev.latchkey.auth.jdbc;

import static dev.latchkey.auth.jdbc.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.IdDigest;
import dev.latchkey.auth.LocalRevocationSettings;
import dev.latchkey.auth.LocalRevocations;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with copies on a real PostgreSQL: one that is stopped and started, one that loses its rows, and one that shows them late. */
@Timeout(120)
class RestartedDatabaseTest {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int BEFORE_THE_STOP = 200;

    private final Instant end = Instant.now().plus(LIFETIME);

    @TempDir
    private Path folder;

    @Test
    void databaseThatIsStoppedAndStarted_losesNoRevocationThatWasAcknowledged_onAnyNode() throws Exception {
        EmbeddedPostgres server = server(0);
        int port = server.getPort();
        String url = server.getJdbcUrl("postgres", "postgres");
        Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
        AtomicInteger outages = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Node one = new Node(url);
                Node other = new Node(url)) {
            one.database.with(JdbcSchema.POSTGRESQL);
            Runnable stopRevoking = revokeWithoutEnd(threads, acknowledged, outages, one, other);
            until(() -> acknowledged.size() >= BEFORE_THE_STOP);
            server.close();
            int beforeTheStart = acknowledged.size();
            until(() -> !one.copy.status().isAnswering() && !other.copy.status().isAnswering());
            assertThat(answer(one, "never-revoked")).isEqualTo(Answer.OUTAGE);
            for (String token : acknowledged) {
                // What one node has not heard of yet it does not know; nobody accepts it.
                assertThat(List.of(answer(one, token), answer(other, token)))
                        .contains(Answer.REFUSED)
                        .doesNotContain(Answer.ACCEPTED);
            }
            server = server(port);
            until(() -> acknowledged.size() >= beforeTheStart + BEFORE_THE_STOP);
            stopRevoking.run();
            try (Node later = new Node(url)) {
                for (Node node : List.of(one, other, later)) {
                    until(node::hasRefreshed);
                    assertThat(acknowledged).allMatch(node.copy::isTokenRevoked);
                    assertThat(node.copy.isTokenRevoked("never-revoked")).isFalse();
                }
            }
            assertThat(outages).hasPositiveValue();
        } finally {
            threads.shutdownNow();
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
                        "INSERT INTO latchkey_revocation (id, not_before, expires_at) VALUES (?, 0, ?)")) {
            late.setAutoCommit(false);
            insert.setBytes(1, IdDigest.ofToken("late").bytes());
            insert.setLong(2, end.getEpochSecond());
            insert.executeUpdate();
            JdbcRevocationStore.in(database, LIFETIME).revokeToken("early", end);
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
                JdbcRevocationStore.in(database, LIFETIME),
                // Long fresh, so that what it answers is what it has.
                LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMinutes(10)));
        copy.refresh();
        return copy;
    }

    /** With the data of the last one, where there was one. */
    private EmbeddedPostgres server(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    /** Each node on a thread of its own; what ends it comes back. */
    private Runnable revokeWithoutEnd(
            ExecutorService threads, Queue<String> acknowledged, AtomicInteger outages, Node... nodes) {
        AtomicInteger last = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        AtomicBoolean isOver = new AtomicBoolean();
        for (Node node : nodes) {
            all.add(threads.submit(() -> {
                while (!isOver.get()) {
                    String token = "t" + last.incrementAndGet();
                    try {
                        node.copy.revokeToken(token, end);
                        acknowledged.add(token);
                    } catch (AuthUnavailableException e) {
                        outages.incrementAndGet();
                    }
                }
            }));
        }
        return () -> {
            isOver.set(true);
            for (Future<?> each : all) {
                until(each::isDone);
            }
        };
    }

    private enum Answer {
        ACCEPTED,
        REFUSED,
        OUTAGE
    }

    private static Answer answer(Node node, String token) {
        try {
            return node.copy.isTokenRevoked(token) ? Answer.REFUSED : Answer.ACCEPTED;
        } catch (AuthUnavailableException e) {
            return Answer.OUTAGE;
        }
    }

    /** With a pool and a copy of its own, which it keeps up to date. */
    private static final class Node implements AutoCloseable {

        private final TestDatabase database;
        private final LocalRevocations copy;
        private final AtomicInteger refreshes = new AtomicInteger();
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

        Node(String url) {
            database = TestDatabase.made(url, "postgres");
            LocalRevocationSettings settings =
                    LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMillis(800));
            copy = LocalRevocations.of(JdbcRevocationStore.in(database, LIFETIME), settings);
            long nanos = settings.refreshInterval().toNanos();
            Future<?> unused = thread.scheduleWithFixedDelay(this::refresh, 0, nanos, TimeUnit.NANOSECONDS);
        }

        private void refresh() {
            try {
                copy.refresh();
                refreshes.incrementAndGet();
            } catch (AuthUnavailableException e) {
                // It is tried again.
            }
        }

        /** Once more from now on. */
        boolean hasRefreshed() {
            int before = refreshes.get();
            until(() -> refreshes.get() > before + 1);
            return copy.status().isFresh();
        }

        @Override
        public void close() {
            thread.shutdownNow();
            database.close();
        }
    }
}
