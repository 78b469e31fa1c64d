package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.testsupport.Until;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests that share a server share no rows. */
@Timeout(120)
class PostgresServerTest {

    @Test
    void sweepOfAnEndedTest_deletesNoRowOfTheNextTest() throws Exception {
        TestDatabase ended = PostgresServer.database();
        AtomicBoolean hasBegun = new AtomicBoolean();
        FutureTask<JdbcRevocationStore> next = new FutureTask<>(() -> storeWithARow(hasBegun));
        Thread thread = new Thread(next, "next-test");
        try (Connection sweeping = ended.getConnection();
                Statement statement = sweeping.createStatement()) {
            // The pool has a free connection, so the next test waits for nothing but the sweep.
            ended.getConnection().close();
            thread.start();
            Until.until(() -> next.isDone() || (thread.getState() == Thread.State.TIMED_WAITING && !hasBegun.get()));
            statement.execute("DELETE FROM latchkey_revocation");
        }
        assertThat(next.get().recordedAfter(0, 10)).hasSize(1);
    }

    /** As with partitions by inheritance. */
    @ParameterizedTest
    @ValueSource(strings = {"latchkey_revocation", "latchkey_login"})
    void rowThatATriggerDrops_isAnOutage(String table) throws Exception {
        TestDatabase database = PostgresServer.database();
        JdbcTemplate sql = new JdbcTemplate(database);
        sql.execute(
                "CREATE OR REPLACE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
        sql.execute("CREATE TRIGGER drops BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION drop_row()");
        try {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> write(table, database))
                    .withMessageContaining("has stored no row in " + table);
        } finally {
            sql.execute("DROP TRIGGER drops ON " + table);
        }
        write(table, database);
    }

    private static void write(String table, TestDatabase database) {
        Instant later = Instant.now().plusSeconds(600);
        if (table.equals("latchkey_login")) {
            StoredLogin login =
                    new StoredLogin("login", "users", "ada", "hash", "", Set.of(), Instant.now(), later, later, null);
            JdbcLoginStore.in(database, TestDatabase.SHOP).start(login);
        } else {
            JdbcRevocationStore.in(database, TestDatabase.SHOP, Duration.ofHours(1))
                    .revokeToken("token", later);
        }
    }

    private static JdbcRevocationStore storeWithARow(AtomicBoolean hasBegun) throws Exception {
        TestDatabase database = PostgresServer.database();
        hasBegun.set(true);
        JdbcRevocationStore store = JdbcRevocationStore.in(database, TestDatabase.SHOP, Duration.ofHours(1));
        store.revokeToken("of the next test", Instant.now().plusSeconds(600));
        return store;
    }
}
