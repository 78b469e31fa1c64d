package dev.latchkey.plugins.passkeys;

import dev.latchkey.plugins.passkeys.store.InMemoryPasskeyStore;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.testsupport.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Named;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Databases with the tables, as the scripts in the jar make them. */
final class Databases {

    private Databases() {}

    static DataSource h2() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return withTables(database, "h2");
    }

    static Stream<Named<PasskeyStore>> stores() {
        JdbcClient.create(Server.DATABASE).sql("delete from latchkey_passkey").update();
        JdbcClient.create(Server.DATABASE)
                .sql("delete from latchkey_passkey_challenge")
                .update();
        return Stream.of(
                Named.of("in memory", new InMemoryPasskeyStore()),
                Named.of("H2", new JdbcPasskeyStore(h2())),
                Named.of("PostgreSQL", new JdbcPasskeyStore(Server.DATABASE)));
    }

    private static DataSource withTables(DataSource database, String kind) {
        new ResourceDatabasePopulator(new ClassPathResource("dev/latchkey/plugins/passkeys/schema-" + kind + ".sql"))
                .execute(database);
        return database;
    }

    /** The one server of this JVM, until the JVM ends. */
    private static final class Server {

        static final DataSource DATABASE = start();

        private static DataSource start() {
            try {
                return withTables(
                        EmbeddedPostgres.builder()
                                .setPort(FreePort.next())
                                .start()
                                .getPostgresDatabase(),
                        "postgresql");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
