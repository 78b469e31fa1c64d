package dev.latchkey.auth.jdbc.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.testsupport.Until;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Commits that fail, and what a pool sees of a call. */
@Timeout(60)
class CommitsTest {

    @FunctionalInterface
    private interface Commit {
        void of(Connection connection) throws SQLException;
    }

    private final JdbcDataSource database = new JdbcDataSource();
    private final AtomicReference<Commit> nextCommit = new AtomicReference<>(Connection::commit);

    /** The methods of the connections, in the order of the calls. */
    private final List<String> used = new CopyOnWriteArrayList<>();

    /** The network timeouts of the connections, in milliseconds. */
    private final List<Integer> networkTimeouts = new CopyOnWriteArrayList<>();

    private final DatabaseCalls calls = DatabaseCalls.of(
                    new DelegatingDataSource(database) {
                        @Override
                        public Connection getConnection() throws SQLException {
                            Connection real = super.getConnection();
                            real.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                            return watched(real);
                        }
                    },
                    "run the script")
            .withDeadline(Duration.ofSeconds(30));

    @BeforeEach
    void makeTable() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new JdbcTemplate(database).execute("CREATE TABLE t (id INT PRIMARY KEY)");
    }

    @Test
    void furtherStatements_run_whereTheAcknowledgementOfACommitIsLost() {
        nextCommit.set(connection -> {
            connection.commit();
            throw new SQLRecoverableException("An I/O error occurred", "08006");
        });
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> calls.call(insert(1), insert(2)));
        Until.until(() -> ids().equals(List.of(1, 2)));
    }

    /** A pool may wait for the database longer than any caller. The network timeout is two seconds longer than the call. */
    @Test
    void furtherStatements_haveTwoSeconds_fromTheirConnectionOn() {
        nextCommit.set(connection -> {
            connection.commit();
            networkTimeouts.clear();
            throw new SQLRecoverableException("An I/O error occurred", "08006");
        });
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> calls.call(insert(1), insert(2)));
        Until.until(() -> ids().equals(List.of(1, 2)));
        assertThat(networkTimeouts).contains(4_000);
    }

    @Test
    void furtherStatements_doNotRun_afterAnAnswer_orAFailureBeforeTheCommit() {
        assertThat(calls.call(insert(1), insert(2))).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> calls.call(
                        jdbc -> {
                            throw new IllegalArgumentException("A name is missing");
                        },
                        insert(3)));
        // One call more than the store has threads.
        for (int i = 0; i < 5; i++) {
            assertThat(calls.<Integer>call(jdbc -> 1)).isEqualTo(1);
        }
        assertThat(ids()).containsExactly(1);
    }

    /** The commit of a transaction may have taken place, whatever the failure says. */
    @Test
    void transactionWhoseCommitFails_isNotRunAgain() {
        AtomicInteger tries = new AtomicInteger();
        nextCommit.set(connection -> {
            connection.rollback();
            throw new SQLTransactionRollbackException("deadlock", "40001");
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(jdbc -> tries.incrementAndGet()));
        assertThat(tries).hasValue(1);
    }

    @Test
    void call_isAtReadCommitted_whateverTheIsolationOfThePool() {
        assertThat(calls.<Integer>call(jdbc -> jdbc.sql("SELECT 1")
                        .query((row, number) ->
                                row.getStatement().getConnection().getTransactionIsolation())
                        .single()))
                .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
    }

    @Test
    void connection_goesBackToThePoolOnce_beforeTheAnswer() {
        calls.call(insert(1));
        assertThat(used).containsOnlyOnce("close").endsWith("close");
    }

    private Connection watched(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                CommitsTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    used.add(method.getName());
                    if (method.getName().equals("setNetworkTimeout")) {
                        networkTimeouts.add((Integer) arguments[1]);
                    }
                    if (!method.getName().equals("commit")) {
                        return method.invoke(real, arguments);
                    }
                    nextCommit.getAndSet(Connection::commit).of(real);
                    return null;
                });
    }

    private static Function<JdbcClient, Integer> insert(int id) {
        return jdbc -> jdbc.sql("INSERT INTO t (id) VALUES (?)").param(id).update();
    }

    private List<Integer> ids() {
        return new JdbcTemplate(database).queryForList("SELECT id FROM t ORDER BY id", Integer.class);
    }
}
