package dev.latchkey.auth.jdbc.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.testsupport.Until;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Timeout(60)
class DatabaseCallsTest {

    private static final Duration PATIENT = Duration.ofMinutes(10);

    private final JdbcDataSource database = new JdbcDataSource();

    @BeforeEach
    void makeTable() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new JdbcTemplate(database).execute("CREATE TABLE t (id INT PRIMARY KEY)");
    }

    @Test
    void call_isCommitted_whateverTheCallersTransactionDoes() {
        DatabaseCalls calls = calls(database);
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            assertThat(calls.call(insert(1))).isEqualTo(1);
            status.setRollbackOnly();
        });
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void missingTables_areThoseOfADatabaseThatAnswers() {
        DatabaseCalls calls = DatabaseCalls.of(database, "run it");
        assertThat(calls.missingTables("SELECT id FROM t WHERE 1 = 0")).isEmpty();
        for (String missing : List.of("SELECT id FROM u WHERE 1 = 0", "SELECT name FROM t WHERE 1 = 0")) {
            assertThat(calls.missingTables("SELECT id FROM t WHERE 1 = 0", missing))
                    .hasValueSatisfying(message -> assertThat(message).startsWith("run it, with your migrations"));
        }
        JdbcDataSource down = new JdbcDataSource();
        down.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";IFEXISTS=TRUE");
        assertThat(DatabaseCalls.of(down, "run it").missingTables("SELECT id FROM t WHERE 1 = 0"))
                .isEmpty();
    }

    @Test
    void dataSourceThatJoinsTransactions_joinsNone() {
        DataSource proxy = new TransactionAwareDataSourceProxy(database);
        DatabaseCalls calls = calls(proxy);
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            calls.call(insert(1));
            status.setRollbackOnly();
        });
        assertThat(rows()).isEqualTo(1);
    }

    /** As in a process that was stopped before its commit: the caller has not noticed the deadline either. */
    @Test
    void commitAfterTheDeadline_isAnOutage_andIsUndone() {
        AtomicLong end = new AtomicLong();
        Duration deadline = Duration.ofMillis(200);
        DatabaseCall<Integer> call = new DatabaseCall<>(
                new StoreTransactions(database),
                deadline,
                jdbc -> {
                    int rows = insert(1).apply(jdbc);
                    Until.until(() -> System.nanoTime() - end.get() > 0);
                    return rows;
                },
                jdbc -> jdbc.sql("DELETE FROM t").update());
        end.set(System.nanoTime() + deadline.toNanos());
        call.run();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(call::await)
                .withCauseInstanceOf(AuthUnavailableException.class)
                .withMessageContaining("did not answer within 200 milliseconds");
        assertThat(rows()).isZero();
    }

    @Test
    void limitOfADriver_onTheRowsOfAQuery_isNotForTheStores() {
        for (int i = 0; i < 3; i++) {
            calls(database).call(insert(i));
        }
        DataSource limited = new DelegatingDataSource(database) {

            @Override
            public Connection getConnection() throws SQLException {
                return withOneRow(super.getConnection());
            }
        };
        assertThat(new JdbcTemplate(limited).queryForList("SELECT id FROM t")).hasSize(1);
        DatabaseCalls calls = calls(limited);
        List<?> all = calls.call(jdbc -> jdbc.sql("SELECT id FROM t").query().listOfRows());
        assertThat(all).hasSize(3);
        all = calls.call(jdbc -> {
            List<Integer> ids = new ArrayList<>();
            jdbc.sql("SELECT id FROM t").query((RowCallbackHandler) row -> ids.add(row.getInt(1)));
            return ids;
        });
        assertThat(all).hasSize(3);
        all = calls.call(
                jdbc -> jdbc.sql("SELECT id FROM t").query(Integer.class).list());
        assertThat(all).hasSize(3);
    }

    /** As Connector/J with {@code maxRows=1} in its URL. */
    private static Connection withOneRow(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                DatabaseCallsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    try {
                        Object made = method.invoke(connection, arguments);
                        if (made instanceof Statement statement) {
                            statement.setMaxRows(1);
                        }
                        return made;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void statements_areAllUndone_whereOneFails() {
        assertThatExceptionOfType(DuplicateKeyException.class)
                .isThrownBy(() -> calls(database).call(jdbc -> inserted(jdbc) + inserted(jdbc)));
        assertThat(rows()).isZero();
    }

    @Test
    void exceptionOfTheStatementsOwn_reachesTheCaller() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> calls(database).call(jdbc -> {
                    throw new IllegalArgumentException("A name is missing");
                }));
    }

    @Test
    void tableThatIsMissing_isAnOutage_thatSaysWhatToDo() {
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls(database)
                        .call(jdbc -> jdbc.sql("SELECT other FROM t").query().listOfRows()))
                .withMessage("run the script. If it has run, the database's user lacks a right on the table");
    }

    /** As Connector/J with {@code characterEncoding=ISO-8859-1}: the accounts of two names would be one. */
    @ParameterizedTest
    @ValueSource(strings = {"MySQL", "MariaDB"})
    void driverThatReplacesLetters_isAnOutage_andChangesNothing(String product) {
        AtomicBoolean replaces = new AtomicBoolean(true);
        DatabaseCalls calls = callsOf(product, replaces);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(insert(1)))
                .withMessageContaining("characterEncoding");
        assertThat(rows()).isZero();
        replaces.set(false);
        assertThat(calls.call(insert(1))).isEqualTo(1);
    }

    @Test
    void driverOfAnotherDatabase_isNotAskedForItsLetters() {
        assertThat(callsOf("PostgreSQL", new AtomicBoolean(true)).call(insert(1)))
                .isEqualTo(1);
    }

    private DatabaseCalls callsOf(String product, AtomicBoolean replaces) {
        return calls(new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                return replacing(Connection.class, super.getConnection(), product, replaces);
            }
        });
    }

    private static <T> T replacing(Class<T> type, Object target, String product, AtomicBoolean replaces) {
        return type.cast(Proxy.newProxyInstance(
                DatabaseCallsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
                    if (method.getName().equals("getDatabaseProductName")) {
                        return product;
                    }
                    if (method.getName().equals("setString") && replaces.get()) {
                        values[1] = "?";
                    }
                    Object result = method.invoke(target, values);
                    Class<?> returned = method.getReturnType();
                    boolean isPart = returned == PreparedStatement.class || returned == DatabaseMetaData.class;
                    return isPart ? replacing(returned, result, product, replaces) : result;
                }));
    }

    @Test
    void databaseThatFails_isAnOutage_whichNamesClassesAlone() {
        DataSource broken = before(() -> {
            throw new SQLTransientConnectionException("password of ada", "08001");
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls(broken).call(insert(1)))
                .withMessage("The database failed: CannotCreateTransactionException, caused by "
                        + "SQLTransientConnectionException (SQL state 08001)")
                .withNoCause();
    }

    @Test
    void transactionThatTheDatabaseChoseToUndo_isRunAgain() {
        AtomicInteger tries = new AtomicInteger();
        int answer = calls(database).call(jdbc -> {
            inserted(jdbc);
            if (tries.incrementAndGet() < 3) {
                throw new CannotAcquireLockException("deadlock");
            }
            return tries.get();
        });
        assertThat(answer).isEqualTo(3);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void transactionThatIsUndoneThreeTimes_isAnOutage() {
        AtomicInteger tries = new AtomicInteger();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls(database).call(jdbc -> {
                    tries.incrementAndGet();
                    throw new CannotAcquireLockException("deadlock");
                }))
                .withMessageContaining("CannotAcquireLockException");
        assertThat(tries).hasValue(3);
    }

    @Test
    void connection_goesBackAsItCame() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            JdbcTemplate ofTheService = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
            ofTheService.setQueryTimeout(100);
            ofTheService.queryForObject("SELECT 1", Integer.class);
            calls(new SingleConnectionDataSource(connection, true)).call(insert(1));
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(connection.createStatement().getQueryTimeout()).isEqualTo(100);
        }
    }

    @Test
    void connectionThatIsNotFree_isAnOutageAtTheDeadline_andLaterCallsGoOn() {
        CountDownLatch free = new CountDownLatch(1);
        DatabaseCalls calls = calls(before(() -> awaitQuietly(free))).withDeadline(Duration.ofMillis(50));
        AtomicBoolean begun = new AtomicBoolean();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(jdbc -> {
                    begun.set(true);
                    return inserted(jdbc);
                }))
                .withMessage("No connection to the database was free within 50 milliseconds");
        free.countDown();
        for (int i = 0; i < 5; i++) {
            Until.until(() -> answers(calls));
        }
        assertThat(rows()).as("what its caller has given up").isZero();
        assertThat(begun).isFalse();
    }

    @Test
    void callThatIsRunAgain_waitsForAnotherConnection() {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger taken = new AtomicInteger();
        DatabaseCalls calls = calls(before(() -> {
                    if (taken.incrementAndGet() == 3) {
                        awaitQuietly(free);
                    }
                }))
                .withDeadline(Duration.ofSeconds(1));
        Until.until(() -> answers(calls));
        taken.set(1);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(jdbc -> {
                    throw new CannotAcquireLockException("deadlock");
                }))
                .withMessage("No connection to the database was free within 1000 milliseconds");
        free.countDown();
    }

    @Test
    void interruptedCaller_getsAnOutage_andStaysInterrupted() {
        CountDownLatch free = new CountDownLatch(1);
        DatabaseCalls calls = calls(before(() -> awaitQuietly(free)));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(insert(1)))
                .withMessage("The thread was interrupted while the database was asked");
        assertThat(Thread.interrupted()).isTrue();
        free.countDown();
    }

    @Test
    void errorOfTheStatements_reachesTheCaller() {
        assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> calls(database).call(jdbc -> {
                    throw new NoClassDefFoundError("a class of the service");
                }));
    }

    @Test
    void outage_namesEightCausesAtMost() {
        DataSource broken = before(() -> {
            SQLException cause = new SQLException("password of ada", "08001");
            for (int i = 0; i < 10; i++) {
                cause = new SQLException("password of ada", "08001", cause);
            }
            throw cause;
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls(broken).call(insert(1)))
                .withMessage("The database failed: CannotCreateTransactionException"
                        + ", caused by SQLException (SQL state 08001)".repeat(8));
    }

    /** A thread of a store may begin with any request. A service with such a thread must be able to end. */
    @Test
    void threadsOfAStore_areDaemons_andKeepNoClassLoaderOfTheirFirstCaller() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Thread caller = new Thread(() -> calls(database).call(jdbc -> threads.add(Thread.currentThread())));
        caller.setDaemon(false);
        caller.setContextClassLoader(new ClassLoader(null) {});
        caller.start();
        caller.join();
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getContextClassLoader()).isSameAs(DatabaseCalls.class.getClassLoader());
        });
    }

    @Test
    void connectionThatIsNotFree_isExplained_whereTheCallerHoldsOne() {
        CountDownLatch free = new CountDownLatch(1);
        DatabaseCalls calls = calls(before(() -> awaitQuietly(free))).withDeadline(Duration.ofMillis(50));
        new TransactionTemplate(new JdbcTransactionManager(database))
                .executeWithoutResult(status -> assertThatExceptionOfType(AuthUnavailableException.class)
                        .isThrownBy(() -> calls.call(insert(1)))
                        .withMessageContaining("The caller's transaction holds one, and this call needs another one"));
        free.countDown();
    }

    @Test
    void statementsThatHang_areAnOutageAtTheDeadline_andAreUndone() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        CountDownLatch through = new CountDownLatch(1);
        DatabaseCalls calls = calls(database).withDeadline(Duration.ofMillis(500));
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(jdbc -> {
                    inserted(jdbc);
                    awaitQuietly(free);
                    through.countDown();
                    return 1;
                }))
                .withMessage("The database did not answer within 500 milliseconds");
        free.countDown();
        assertThat(through.await(30, TimeUnit.SECONDS)).isTrue();
        // A second insert waits for the first transaction, and finds that it was rolled back.
        assertThat(calls(database).withDeadline(PATIENT).call(insert(1))).isEqualTo(1);
    }

    @Test
    void statement_hasWhatIsLeftOfTheDeadlineAsItsTimeout() {
        DatabaseCalls calls = calls(database).withDeadline(Duration.ofSeconds(30));
        List<Integer> timeouts = new ArrayList<>();
        calls.call(jdbc -> jdbc.sql("SELECT 1")
                .query((row, number) -> {
                    timeouts.add(row.getStatement().getQueryTimeout());
                    return 1;
                })
                .list());
        assertThat(timeouts)
                .singleElement()
                .satisfies(seconds -> assertThat(seconds).isBetween(1, 30));
    }

    @Test
    void databaseThatHangs_keepsFewThreads_andRefusesTheRestAtOnce() {
        CountDownLatch free = new CountDownLatch(1);
        DatabaseCalls calls = calls(before(() -> awaitQuietly(free))).withDeadline(PATIENT);
        for (int i = 0; i < 1_000; i++) {
            calls.later(jdbc -> 1);
        }
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> calls.call(jdbc -> 1))
                .withMessageStartingWith("The database is too slow")
                .withCauseInstanceOf(RejectedExecutionException.class);
        free.countDown();
        Until.until(() -> answers(calls));
    }

    /** As many calls as a store has threads. The network then works again, for new connections. */
    @ParameterizedTest
    @ValueSource(strings = {"prepareStatement", "getTransactionIsolation", "setAutoCommit"})
    void connectionsThatNeverAnswer_endByTheirNetworkTimeout_andLaterCallsGoOn(String waiting) {
        AtomicBoolean isSilent = new AtomicBoolean(true);
        DatabaseCalls calls = calls(new DelegatingDataSource(database) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        Connection connection = super.getConnection();
                        return isSilent.get() ? silent(connection, waiting) : connection;
                    }
                })
                .withDeadline(Duration.ofMillis(200));
        for (int i = 0; i < 4; i++) {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> calls.call(insert(1)))
                    .withMessageContaining("within 200 milliseconds");
        }
        isSilent.set(false);
        Until.until(() -> answers(calls));
        assertThat(rows()).isZero();
    }

    /** A connection whose method of this name waits for its network timeout, by default for ever. */
    private static Connection silent(Connection connection, String waiting) {
        AtomicInteger millis = new AtomicInteger(Integer.MAX_VALUE);
        return (Connection) Proxy.newProxyInstance(
                DatabaseCallsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, values) -> {
                    if (method.getName().equals("setNetworkTimeout")) {
                        millis.set((int) values[1]);
                    }
                    if (method.getName().equals(waiting)) {
                        Thread.sleep(millis.get());
                        throw new SQLNonTransientConnectionException("The socket is closed", "08006");
                    }
                    return method.invoke(connection, values);
                });
    }

    /** A call that is late ends by itself, and its connection is of use again. */
    @Test
    void networkTimeout_isTwoSecondsLongerThanTheCall_andGoesBackAsItCame() {
        AtomicInteger timeout = new AtomicInteger(7);
        AtomicInteger ofStatements = new AtomicInteger();
        DatabaseCalls calls = calls(withNetworkTimeout(timeout, true)).within(Duration.ofSeconds(20));
        calls.call(jdbc -> {
            ofStatements.set(timeout.get());
            return inserted(jdbc);
        });
        assertThat(ofStatements.get()).isBetween(2_001, 22_000);
        assertThat(timeout).hasValue(7);
    }

    @Test
    void driverWithoutNetworkTimeouts_goesOnWorking() {
        assertThat(calls(withNetworkTimeout(new AtomicInteger(), false)).call(insert(1)))
                .isEqualTo(1);
    }

    private DataSource withNetworkTimeout(AtomicInteger millis, boolean isSupported) {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        DatabaseCallsTest.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, values) -> {
                            if (!method.getName().endsWith("NetworkTimeout")) {
                                return method.invoke(connection, values);
                            }
                            if (!isSupported) {
                                throw new SQLFeatureNotSupportedException();
                            }
                            if (method.getName().equals("getNetworkTimeout")) {
                                return millis.get();
                            }
                            millis.set((int) values[1]);
                            return null;
                        });
            }
        };
    }

    /** A DataSource may choose a tenant's database by one. */
    @Test
    void threadLocalsOfTheFirstCaller_areNotInheritedByTheCallsOfOthers() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("first");
        try {
            List<String> seen = new ArrayList<>();
            calls(database).call(jdbc -> seen.add(String.valueOf(tenant.get())));
            assertThat(seen).containsExactly("null");
        } finally {
            tenant.remove();
        }
    }

    private static DatabaseCalls calls(DataSource database) {
        return DatabaseCalls.of(database, "run the script").withDeadline(Duration.ofSeconds(30));
    }

    private static Function<JdbcClient, Integer> insert(int id) {
        return jdbc -> jdbc.sql("INSERT INTO t (id) VALUES (?)").param(id).update();
    }

    private static int inserted(JdbcClient jdbc) {
        return insert(1).apply(jdbc);
    }

    private long rows() {
        return JdbcClient.create(database)
                .sql("SELECT count(*) FROM t")
                .query(Long.class)
                .single();
    }

    private interface Fault {
        void happen() throws SQLException;
    }

    private DataSource before(Fault fault) {
        return new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                fault.happen();
                return super.getConnection();
            }
        };
    }

    private static boolean answers(DatabaseCalls calls) {
        try {
            return calls.call(jdbc -> 1) == 1;
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
