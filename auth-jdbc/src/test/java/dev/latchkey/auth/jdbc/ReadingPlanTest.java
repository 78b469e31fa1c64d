package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.ServiceName;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each node reads its new revocations twice a second. The reading of a quiet service must not scan the rows of other services. */
@Timeout(120)
class ReadingPlanTest {

    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    @Test
    void readingInH2_usesTheIndex() throws SQLException {
        try (TestDatabase database = TestDatabase.h2()) {
            assertThat(plan(database)).contains("latchkey_revocation_seq");
        }
    }

    @Test
    void readingInH2AsMySql_usesTheIndex() throws SQLException {
        try (TestDatabase database = TestDatabase.h2AsMySql()) {
            assertThat(plan(database)).contains("latchkey_revocation_seq");
        }
    }

    /** The database is for all tests of a build, so it stays open. */
    @Test
    void readingInPostgres_usesTheIndex() throws SQLException {
        assertThat(plan(PostgresServer.database())).contains("latchkey_revocation_seq");
    }

    private static String plan(TestDatabase database) {
        store(database, "quiet").recordToken("t", END);
        JdbcRevocationStore busy = store(database, "busy");
        for (int from = 0; from < 2_000; from += 200) {
            busy.restore(IntStream.range(from, from + 200)
                    .mapToObj(i -> Revocation.ofToken("t" + i, END))
                    .toList());
        }
        JdbcTemplate sql = new JdbcTemplate(database);
        sql.execute("ANALYZE");
        byte[] quiet = "quiet".getBytes(StandardCharsets.US_ASCII);
        List<String> plan =
                sql.queryForList("EXPLAIN " + JdbcRevocationStore.SELECT_AFTER, String.class, quiet, 1L, 5_000);
        return String.join(" ", plan).toLowerCase(Locale.ROOT);
    }

    private static JdbcRevocationStore store(TestDatabase database, String service) {
        return new JdbcRevocationStore(
                TestDatabase.patient(database), new ServiceName(service), Duration.ofHours(1), Instant::now, 10);
    }
}
