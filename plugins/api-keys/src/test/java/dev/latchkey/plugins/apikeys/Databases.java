package dev.latchkey.plugins.apikeys;

import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
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

/** Databases with the table, as the scripts in the jar make it. */
final class Databases {

    private Databases() {}

    static DataSource h2() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return withTable(database, "h2");
    }

    /** On the one server of this JVM, until the JVM ends. */
    static DataSource postgres() {
        return Server.DATABASE;
    }

    static Stream<Named<ApiKeyStore>> stores() {
        JdbcClient.create(postgres()).sql("delete from latchkey_api_key").update();
        return Stream.of(
                Named.of("in memory", new InMemoryApiKeyStore()),
                Named.of("H2", new JdbcApiKeyStore(h2())),
                Named.of("PostgreSQL", new JdbcApiKeyStore(postgres())));
    }

    static DataSource withTable(DataSource database, String kind) {
        new ResourceDatabasePopulator(new ClassPathResource("dev/latchkey/plugins/apikeys/schema-" + kind + ".sql"))
                .execute(database);
        return database;
    }

    private static final class Server {

        static final DataSource DATABASE = start();

        private static DataSource start() {
            try {
                DataSource database = EmbeddedPostgres.builder()
                        .setPort(FreePort.next())
                        .start()
                        .getPostgresDatabase();
                withTable(database, "postgresql");
                // A second time, as a migration that is run again.
                return withTable(database, "postgresql");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
