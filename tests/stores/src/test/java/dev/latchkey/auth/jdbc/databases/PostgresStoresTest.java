package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.testsupport.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class PostgresStoresTest extends StoreContract {

    private static final EmbeddedPostgres POSTGRES = started();
    private static final Server SERVER = server("postgres").withTables().limited();
    private static final Server ANOTHER = server("template1").withTables();

    private static EmbeddedPostgres started() {
        try {
            return EmbeddedPostgres.builder().setPort(FreePort.next()).start();
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

    /** A new connection for each question would cost the server more than the answers. */
    @Test
    void serverThatAcceptsNoChanges_costsOneConnectionASecond() {
        AtomicInteger made = new AtomicInteger();
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql("SET default_transaction_read_only = on");
        config.setDataSource(new DelegatingDataSource(SERVER.plain()) {
            @Override
            public Connection getConnection() throws SQLException {
                made.incrementAndGet();
                return super.getConnection();
            }
        });
        long begun = System.nanoTime();
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Rows keys = Store.API_KEYS.in(pool);
            for (int i = 0; i < 40; i++) {
                assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> keys.has("none"));
            }
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
        assertThat(made).satisfies(number -> assertThat(number.get()).isBetween(2, (int) seconds + 3));
    }

    @ParameterizedTest
    @EnumSource
    void tableThatIsLockedForChanges_answers(Store store) throws SQLException {
        assertAnswersBeside(store, server("postgres"), "LOCK TABLE " + store.table() + " IN SHARE MODE");
    }
}
