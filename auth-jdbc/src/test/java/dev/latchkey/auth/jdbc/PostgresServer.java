package dev.latchkey.auth.jdbc;

import dev.latchkey.testsupport.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;

/** One PostgreSQL for all tests of a build, until the JVM ends. */
final class PostgresServer {

    private static TestDatabase ofTheLastTest = started();

    private PostgresServer() {}

    /** The same tables for all, empty. */
    static synchronized TestDatabase database() throws SQLException {
        ofTheLastTest = ofTheLastTest.emptied();
        return ofTheLastTest;
    }

    private static TestDatabase started() {
        try {
            EmbeddedPostgres server =
                    EmbeddedPostgres.builder().setPort(FreePort.next()).start();
            return TestDatabase.made(server.getJdbcUrl("postgres", "postgres"), "postgres")
                    .with(JdbcSchema.POSTGRESQL);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
