package dev.latchkey.plugins.codes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One suite for all stores. */
class CodeStoreTest {

    private static final StoredCodes FIRST = new StoredCodes(
            "1",
            "k.secret",
            59_000_000L,
            List.of("a", "b"),
            List.of("d 1 2 x (y); z", "e 3 4 "),
            "k.pending",
            1_800_000_000L,
            3);

    static Stream<Named<CodeStore>> stores() {
        return Databases.stores();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void storedRow_isFound(CodeStore store) {
        assertThat(store.find("ada")).isEmpty();
        assertThat(store.insert("ada", FIRST)).isTrue();
        assertThat(store.find("ada")).contains(FIRST);
        assertThat(store.find("Ada")).isEmpty();
        assertThat(store.find("ada ")).isEmpty();
        StoredCodes bare = new StoredCodes("2", null, -1, List.of(), List.of(), null, 0, 0);
        assertThat(store.insert("é😀".repeat(80), bare)).isTrue();
        assertThat(store.find("é😀".repeat(80))).contains(bare);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void secondInsert_changesNothing(CodeStore store) {
        store.insert("ada", FIRST);
        assertThat(store.insert("ada", FIRST.withRevision("2"))).isFalse();
        assertThat(store.find("ada")).contains(FIRST);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void update_isOfWhatWasRead(CodeStore store) {
        store.insert("ada", FIRST);
        store.insert("bob", FIRST);
        StoredCodes next = FIRST.withRevision("2").withLastStep(60_000_000L).withoutPending();
        assertThat(store.update("ada", "0", next)).isFalse();
        assertThat(store.find("ada")).contains(FIRST);
        assertThat(store.update("ada", "1", next)).isTrue();
        assertThat(store.find("ada")).contains(next);
        assertThat(store.find("bob")).contains(FIRST);
        assertThat(store.update("ada", "1", FIRST)).isFalse();
        assertThat(store.update("nobody", "1", next)).isFalse();
        assertThat(store.find("nobody")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void deleted_isGone(CodeStore store) {
        store.insert("ada", FIRST);
        store.insert("bob", FIRST);
        assertThat(store.delete("ada")).isTrue();
        assertThat(store.delete("ada")).isFalse();
        assertThat(store.find("ada")).isEmpty();
        assertThat(store.find("bob")).contains(FIRST);
        assertThat(store.update("ada", "1", FIRST.withRevision("2"))).isFalse();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void simultaneousWrites_areDoneOnce(CodeStore store) throws Exception {
        assertThat(successes(i -> store.insert("ada", FIRST.withRevision("i" + i))))
                .isEqualTo(1);
        String revision = store.find("ada").orElseThrow().revision();
        assertThat(successes(i -> store.update("ada", revision, FIRST.withRevision("u" + i))))
                .isEqualTo(1);
    }

    private interface Write {
        boolean by(int number);
    }

    private static long successes(Write write) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> writes = IntStream.range(0, 8)
                    .<Callable<Boolean>>mapToObj(i -> () -> write.by(i))
                    .toList();
            long done = 0;
            for (Future<Boolean> result : threads.invokeAll(writes)) {
                done += result.get() ? 1 : 0;
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void poolThatDoesNotCommit_losesNothing() {
        DataSource database = Databases.h2();
        CodeStore store = new JdbcCodeStore(new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        });
        store.insert("ada", FIRST);
        store.update("ada", "1", FIRST.withRevision("2"));
        assertThat(new JdbcCodeStore(database).find("ada")).contains(FIRST.withRevision("2"));
        store.delete("ada");
        assertThat(new JdbcCodeStore(database).find("ada")).isEmpty();
    }

    @Test
    void transactionThatIsRolledBackAroundAWrite_doesNotUndoIt() {
        DataSource database = Databases.h2();
        CodeStore store = new JdbcCodeStore(database);
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            store.insert("ada", FIRST);
            status.setRollbackOnly();
        });
        assertThat(store.find("ada")).contains(FIRST);
    }

    @Test
    void databaseThatIsDown_orHasNoTable_isAnOutage() {
        JdbcDataSource none = new JdbcDataSource();
        none.setURL("jdbc:h2:mem:never-made;IFEXISTS=TRUE");
        JdbcDataSource empty = new JdbcDataSource();
        empty.setURL("jdbc:h2:mem:without-a-table");
        for (DataSource database : List.of(none, empty)) {
            CodeStore store = new JdbcCodeStore(database);
            assertThatThrownBy(() -> store.find("ada"))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining(
                            database == none
                                    ? "The database failed"
                                    : "run the script dev/latchkey/plugins/codes/schema-");
            assertThatThrownBy(() -> store.insert("ada", FIRST)).isInstanceOf(AuthUnavailableException.class);
            assertThatThrownBy(() -> store.update("ada", "1", FIRST)).isInstanceOf(AuthUnavailableException.class);
            assertThatThrownBy(() -> store.delete("ada")).isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void scriptOfMariaDb_differsFromThatOfMySql_inTheNameOfTheCollation() throws IOException {
        assertThat(statementOf("schema-mariadb.sql"))
                .isEqualTo(statementOf("schema-mysql.sql").replace("utf8mb4_0900_bin", "utf8mb4_nopad_bin"));
    }

    private static String statementOf(String script) throws IOException {
        try (InputStream file = Objects.requireNonNull(CodeStore.class.getResourceAsStream(script))) {
            return new String(file.readAllBytes(), UTF_8).replaceFirst("--.*", "");
        }
    }
}
