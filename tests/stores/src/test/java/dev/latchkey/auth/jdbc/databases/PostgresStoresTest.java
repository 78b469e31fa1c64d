package dev.latchkey.auth.jdbc.databases;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;

class PostgresStoresTest extends StoreContract {

    private static final EmbeddedPostgres POSTGRES = started();
    private static final Server SERVER = server("postgres").withTables();
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

    private static Server server(String database) {
        return new Server(
                POSTGRES.getJdbcUrl("postgres", database),
                "postgres",
                new Server.Dialects("postgresql", "postgresql", "postgresql"));
    }

    @Override
    Server server() {
        return SERVER;
    }

    @Override
    Server another() {
        return ANOTHER;
    }
}
