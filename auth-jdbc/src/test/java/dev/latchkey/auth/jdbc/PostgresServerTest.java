package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testsupport.Until;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    private static JdbcRevocationStore storeWithARow(AtomicBoolean hasBegun) throws Exception {
        TestDatabase database = PostgresServer.database();
        hasBegun.set(true);
        JdbcRevocationStore store = JdbcRevocationStore.in(database, TestDatabase.SHOP, Duration.ofHours(1));
        store.revokeToken("of the next test", Instant.now().plusSeconds(600));
        return store;
    }
}
