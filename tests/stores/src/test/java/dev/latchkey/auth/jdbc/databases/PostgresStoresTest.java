package dev.latchkey.auth.jdbc.databases;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PostgresStoresTest extends StoreContract {

    private static final EmbeddedPostgres POSTGRES = started();
    private static final Server SERVER = server("postgres").withTables().limited();
    private static final Server ANOTHER = server("template1").withTables();

    private static EmbeddedPostgres started() {
        try {
            return EmbeddedPostgres.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int port() {
        return POSTGRES.getPort();
    }

    /** The database of the tests, for the documented user. */
    static Server limited() {
        return SERVER;
    }

    /** The same for the owner of the tables. */
    static Server server(String database) {
        return new Server(
                // The URL of the library names a user, and the user in the URL takes precedence.
                "jdbc:postgresql://127.0.0.1:" + port() + "/" + database,
                "postgres",
                new Server.Dialects("postgresql", "postgresql"));
    }

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }

    @ParameterizedTest
    @EnumSource
    void serverThatAcceptsNoChanges_answersNoQuestion(Store store) {
        String setting = "ALTER DATABASE postgres SET default_transaction_read_only = ";
        assertNoAnswerWithoutChanges(
                store,
                // New connections to the database itself could not change it.
                server("template1"),
                setting + "on",
                setting + "off");
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsLockedForChanges_answers(Store store) throws SQLException {
        assertAnswersBeside(store, server("postgres"), "LOCK TABLE " + store.table() + " IN SHARE MODE");
    }
}
