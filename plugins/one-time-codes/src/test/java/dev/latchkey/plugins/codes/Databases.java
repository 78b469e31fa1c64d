package dev.latchkey.plugins.codes;

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

    static Stream<Named<CodeStore>> stores() {
        JdbcClient.create(postgres()).sql("delete from latchkey_one_time_codes").update();
        return Stream.of(
                Named.of("in memory", new InMemoryCodeStore()),
                Named.of("H2", new JdbcCodeStore(h2())),
                Named.of("PostgreSQL", new JdbcCodeStore(postgres())));
    }

    private static DataSource withTable(DataSource database, String kind) {
        new ResourceDatabasePopulator(new ClassPathResource("dev/latchkey/plugins/codes/schema-" + kind + ".sql"))
                .execute(database);
        return database;
    }

    private static final class Server {

        static final DataSource DATABASE = start();

        private static DataSource start() {
            try {
                return withTable(
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
