package dev.latchkey.auth.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jdbc.calls.DatabaseCalls;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import dev.latchkey.auth.store.StoredLogin;
import dev.latchkey.testsupport.Until;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** What the contracts cannot see: the rows, the threads and the transactions. */
@Timeout(60)
@Tag("long")
class JdbcStoresTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIFETIME = Duration.ofHours(1);

    private Instant now = START;
    private TestDatabase database;
    private JdbcTemplate sql;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.h2();
        sql = new JdbcTemplate(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void rowsOfRevocations_holdNoId() {
        store(10).revokeTokenOf("ada-lovelace", "token-of-ada", START.plusSeconds(60));
        store(10).revokeSubject("ada-lovelace", START);
        for (Map<String, Object> row : sql.queryForList("SELECT * FROM latchkey_revocation")) {
            assertThat(textOf(row)).doesNotContain("ada");
        }
    }

    @Test
    void rowOfALogin_hasItsAccountAndId_andOnlyTheRecordedDevice() {
        StoredLogin login = login("login-of-ada", "ada-lovelace", "hash", START.plusSeconds(60));
        logins().start(login);
        Map<String, Object> row = sql.queryForMap("SELECT * FROM latchkey_login");
        // A refresh needs the account of a login, and a list needs the id.
        assertThat(textOf(row)).contains("ada-lovelace").contains("login-of-ada");
        assertThat(row).containsEntry("DEVICE", null).containsEntry("ADDRESS", null);
    }

    @Test
    void digest_isWhatADatabaseComputes() {
        byte[] digest = sql.queryForObject("SELECT substring(hash('SHA-256', 'token:t1') FROM 1 FOR 16)", byte[].class);
        assertThat(IdDigest.ofToken("t1")).isEqualTo(IdDigest.of(digest));
        assertThat(IdDigest.ofSubject("t1")).isNotEqualTo(IdDigest.of(digest));
    }

    /** Somebody wrote rows by hand, and confused the columns. */
    @Test
    void rowThatIsNoRevocation_leavesTheOthersReadable() {
        JdbcRevocationStore store = store(10);
        store.recordSubject("ada", START);
        store.recordSubject("bob", START);
        sql.update("UPDATE latchkey_revocation SET not_before = ? WHERE id = ?", Long.MAX_VALUE, idOf("bob"));
        sql.update(
                "INSERT INTO latchkey_revocation (service, id, not_before, expires_at) VALUES (?, X'01', ?, ?)",
                "shop".getBytes(StandardCharsets.UTF_8),
                START.toEpochMilli(),
                Long.MAX_VALUE);
        sql.update(
                "INSERT INTO latchkey_revocation (service, id, not_before, expires_at) VALUES (?, ?, 0, ?)",
                "shop".getBytes(StandardCharsets.UTF_8),
                idOf("carol"),
                Long.MIN_VALUE);
        // The sweep of the first revocation may have deleted the row of carol.
        assertThat(store.recordedAfter(0, 10))
                .hasSizeBetween(3, 4)
                .extracting(each -> each.revocation().id())
                .startsWith(IdDigest.ofSubject("ada"), IdDigest.ofSubject("bob"));
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        assertThat(store.notBefore("bob")).isAfter(START.plus(Duration.ofDays(365_000)));
    }

    private static byte[] idOf(String subjectId) {
        return IdDigest.ofSubject(subjectId).bytes();
    }

    @Test
    void rowThatIsNoLogin_isAnOutage() {
        for (String changed : List.of(
                "methods = X'FF'", // no name of a method
                "methods = X'7077642070776420'", // one method twice
                "ends_at = 0",
                "replaced_hash = X'61'", // without the other columns
                "device = X''")) {
            sql.update("DELETE FROM latchkey_login");
            logins().start(login("login-of-ada", "ada", "hash", START.plusSeconds(60)));
            sql.update("UPDATE latchkey_login SET " + changed);
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .as(changed)
                    .isThrownBy(() -> logins().find("login-of-ada"))
                    .withMessageMatching("The row of latchkey_login with the seq \\d+ is no login; delete the row");
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .as(changed)
                    .isThrownBy(() -> logins().ofOwner("ada"))
                    .withMessageMatching("The row of latchkey_login with the seq \\d+ is no login; delete the row");
        }
    }

    /** As after logical replication, which copies no sequence. Expired rows have left free numbers. */
    @Test
    void numbersBehindTheRows_areAnOutage_alsoIfTheNumbersAreFree() {
        JdbcRevocationStore store = store(10);
        sql.execute("ALTER TABLE latchkey_revocation ALTER COLUMN seq RESTART WITH 50");
        store.revokeToken("t1", START.plusSeconds(60));
        sql.execute("ALTER TABLE latchkey_revocation ALTER COLUMN seq RESTART WITH 1");
        for (ThrowingCallable write : List.<ThrowingCallable>of(
                () -> store.revokeToken("t2", START.plusSeconds(60)),
                () -> store.revokeSubject("ada", START),
                () -> store.restore(List.of(
                        Revocation.ofToken("t2", START.plusSeconds(60)),
                        Revocation.ofToken("t3", START.plusSeconds(60)))))) {
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(write)
                    .withMessageContaining("latchkey_revocation is behind its rows");
        }
        assertThat(store.recordedAfter(0, 10)).hasSize(1);
        sql.execute("ALTER TABLE latchkey_revocation ALTER COLUMN seq RESTART WITH 51");
        store.revokeToken("t2", START.plusSeconds(60));
        assertThat(store.recordedAfter(50, 10)).hasSize(1);
    }

    /** The newest session of an account would be ended as the oldest. */
    @Test
    void sessionWithANumberBehindThoseOfItsAccount_isNotStarted() {
        sql.execute("ALTER TABLE latchkey_login ALTER COLUMN seq RESTART WITH 50");
        logins().start(login("first", "ada", "hash", START.plusSeconds(60)));
        sql.execute("ALTER TABLE latchkey_login ALTER COLUMN seq RESTART WITH 1");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> logins().start(login("second", "ada", "hash", START.plusSeconds(60))))
                .withMessageContaining("latchkey_login is behind its rows");
        assertThat(logins().find("second")).isEmpty();
        logins().start(login("third", "bob", "hash", START.plusSeconds(60)));
        assertThat(logins().ofOwner("bob")).hasSize(1);
    }

    /** As after a dump that was restored without the values of its sequences. */
    @Test
    void numbersBehindTheRows_areAnOutageThatSaysSo() {
        JdbcRevocationStore store = store(10);
        store.revokeToken("t1", START.plusSeconds(60));
        sql.execute("ALTER TABLE latchkey_revocation ALTER COLUMN seq RESTART WITH 1");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.revokeToken("t2", START.plusSeconds(60)))
                .withMessageContaining("the highest seq");
        sql.execute("ALTER TABLE latchkey_revocation ALTER COLUMN seq RESTART WITH 1");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.restore(List.of(Revocation.ofToken("t2", START.plusSeconds(60)))))
                .withMessageContaining("the highest seq");
    }

    @Test
    void sweep_deletesWhatIsOver_aBatchAtATime_andNothingElse() {
        JdbcRevocationStore store = store(10_000);
        for (int i = 0; i < Sweep.AT_ONCE + 3; i++) {
            store.revokeToken("t" + i, START.plusSeconds(i % 2));
        }
        store.revokeToken("later", START.plusSeconds(2));
        now = START.plusSeconds(2).plus(Sweep.KEPT_LONGER);
        assertThat(store.sweep()).isEqualTo(Sweep.AT_ONCE);
        assertThat(store.sweep()).isEqualTo(3);
        assertThat(store.sweep()).isZero();
        assertThat(store.isTokenRevoked("later")).isTrue();
        now = now.plusSeconds(1);
        assertThat(store.sweep()).isEqualTo(1);
    }

    @Test
    void sweeps_goOnWhereTheClockWasAYearAhead_andIsSetBack() {
        JdbcRevocationStore store = store(10);
        store.restore(List.of(Revocation.ofToken("t0", START)));
        now = START.plus(Duration.ofDays(365));
        store.revokeToken("t1", now.plusSeconds(60));
        Until.until(() -> !store.isTokenRevoked("t0"));
        now = START;
        store.revokeToken("t2", START.plusSeconds(1));
        now = START.plusSeconds(120);
        store.revokeToken("t3", now.plusSeconds(60));
        Until.until(() -> !store.isTokenRevoked("t2"));
    }

    @Test
    void nodeWhoseClockIsAYearAhead_sweepsNothingThatIsNotOverByTheDatabasesClock() {
        now = Instant.now();
        JdbcRevocationStore store = store(10);
        JdbcLoginStore logins = logins();
        store.revokeToken("t", now.plusSeconds(30));
        logins.start(login("f", "ada", "1", now.plusSeconds(30)));
        now = now.plus(Duration.ofDays(365));
        assertThat(store.sweep()).isZero();
        assertThat(store.isTokenRevoked("t")).isTrue();
        assertThat(logins.sweep()).isZero();
        assertThat(logins.find("f")).isPresent();
    }

    @Test
    void startOfALogin_sweepsThoseThatAreOver() {
        JdbcLoginStore logins = logins();
        logins.start(login("old", "ada", "1", START.plusSeconds(60)));
        now = START.plus(Duration.ofHours(1));
        logins.start(login("new", "ada", "2", now.plusSeconds(60)));
        Until.until(() -> rowsOf("latchkey_login") == 1);
        assertThat(logins.find("new")).isPresent();
    }

    @Test
    void oldestLoginsOfAnAccount_areForgotten_alsoInTheTable() {
        JdbcLoginStore logins = logins();
        for (int i = 0; i < LoginStore.MOST_OF_OWNER + 3; i++) {
            logins.start(login("f" + i, "ada", "hash" + i, START.plusSeconds(60)));
        }
        assertThat(rowsOf("latchkey_login")).isEqualTo(LoginStore.MOST_OF_OWNER);
        assertThat(logins.find("f2")).isEmpty();
        assertThat(logins.find("f3")).isPresent();
    }

    /** Expired rows stay in the table until a sweep. */
    @Test
    void expiredLoginsOfAnAccount_areForgottenBeforeAnOlderValidLogin() {
        JdbcLoginStore logins = logins();
        logins.start(login("valid", "ada", "hash", START.plusSeconds(600)));
        for (int i = 1; i < LoginStore.MOST_OF_OWNER; i++) {
            logins.start(login("expired" + i, "ada", "hash", START.plusSeconds(30)));
        }
        now = START.plusSeconds(30);
        logins.start(login("new", "ada", "hash", START.plusSeconds(600)));
        assertThat(logins.ofOwner("ada")).extracting(StoredLogin::id).containsExactly("new", "valid");
        assertThat(rowsOf("latchkey_login")).isEqualTo(LoginStore.MOST_OF_OWNER);
    }

    /** Such a token has expired at every node. */
    @Test
    void tokenThatIsOver_isRevokedWithoutARow() {
        Instant over = START.minus(Sweep.KEPT_LONGER);
        assertThat(store(10).recordTokenOf("ada", "t1", over)).isEqualTo(Revocation.ofToken("t1", over));
        assertThat(store(10).recordToken("t2", over)).isEqualTo(Revocation.ofToken("t2", over));
        assertThat(rowsOf("latchkey_revocation")).isZero();
        store(10).recordTokenOf("ada", "t3", over.plusMillis(1));
        assertThat(rowsOf("latchkey_revocation")).isEqualTo(1);
    }

    @Test
    void storesOfAService_areMadeFromItsDataSource() {
        now = Instant.now();
        JdbcRevocationStore.in(database, TestDatabase.SHOP, LIFETIME).revokeToken("t", now.plusSeconds(60));
        assertThat(store(10).isTokenRevoked("t")).isTrue();
        JdbcLoginStore.in(database, TestDatabase.SHOP).start(login("f", "ada", "1", now.plusSeconds(60)));
        assertThat(logins().find("f")).isPresent();
    }

    private int rowsOf(String table) {
        return Objects.requireNonNull(sql.queryForObject("SELECT count(*) FROM " + table, Integer.class));
    }

    @Test
    void sweepOfLogins_deletesThoseThatAreOver() {
        JdbcLoginStore logins = logins();
        logins.start(login("f", "ada", "1", START.plusSeconds(60)));
        now = START.plusSeconds(60).plus(Sweep.KEPT_LONGER);
        assertThat(logins.sweep()).isZero();
        now = now.plusMillis(1);
        assertThat(logins.sweep()).isEqualTo(1);
        assertThat(logins.find("f")).isEmpty();
    }

    @Test
    void repeatedRevocation_hasALaterPosition_andOneRowInTheEnd() {
        JdbcRevocationStore store = store(10);
        store.revokeSubject("ada", START);
        long first = onlyOf(store.recordedAfter(0, 10)).position();
        store.revokeSubject("ada", START);
        assertThat(onlyOf(store.recordedAfter(first, 10)).position()).isGreaterThan(first);
        // A repeated entry is deleted after the call. After the deletion, no other call of this store is ahead.
        Until.until(() -> store.recordedAfter(0, 10).size() == 1);
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void revocationThatEndsEarlier_leavesTheRowThatEndsLater() {
        JdbcRevocationStore store = store(10);
        store.revokeToken("t", START.plusSeconds(60));
        store.revokeToken("t", START.plusSeconds(20));
        store.revokeToken("t", START.plusSeconds(20));
        Until.until(() -> store.recordedAfter(0, 10).size() == 2);
        assertThat(store.recordedAfter(0, 10))
                .extracting(each -> each.revocation().until())
                .containsExactly(START.plusSeconds(60), START.plusSeconds(20));
    }

    @Test
    void subjectOfManyTokens_isRevokedInTheirPlace_forNodesWhoseClockIsAhead() {
        JdbcRevocationStore store = store(3);
        for (int i = 0; i < 3; i++) {
            store.revokeTokenOf("ada", "t" + i, START.plusSeconds(60));
        }
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        store.revokeTokenOf("ada", "t3", START.plusSeconds(60));
        assertThat(store.isTokenRevoked("t3")).isFalse();
        assertThat(store.isSubjectRevoked("ada", START.plusSeconds(5))).isTrue();
        assertThat(store.isTokenRevoked("t2")).isTrue();
    }

    /** Otherwise each further logout would end all sessions of the account. */
    @Test
    void countOfTokens_beginsAgainAfterTheirSubject() {
        JdbcRevocationStore store = store(2);
        List.of("t1", "t2", "t3").forEach(id -> store.revokeTokenOf("ada", id, START.plusSeconds(600)));
        Instant bound = store.notBefore("ada");
        assertThat(bound).isAfter(now);
        now = now.plusSeconds(60);
        for (String id : List.of("t4", "t5")) {
            assertThat(store.recordTokenOf("ada", id, START.plusSeconds(600)).id())
                    .isEqualTo(IdDigest.ofToken(id));
        }
        assertThat(store.notBefore("ada")).isEqualTo(bound);
        store.revokeTokenOf("ada", "t6", START.plusSeconds(600));
        assertThat(store.notBefore("ada")).isAfter(bound);
    }

    @Test
    void serviceThatRollsBack_takesNoRevocationBack() {
        JdbcRevocationStore store = store(10);
        new TransactionTemplate(new DataSourceTransactionManager(database)).executeWithoutResult(status -> {
            store.revokeToken("t", START.plusSeconds(60));
            status.setRollbackOnly();
        });
        assertThat(store.isTokenRevoked("t")).isTrue();
    }

    @Test
    void connectionsThatDoNotCommitByThemselves_areCommitted() {
        JdbcRevocationStore store = JdbcRevocationStore.in(
                new DelegatingDataSource(database) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        Connection connection = super.getConnection();
                        connection.setAutoCommit(false);
                        return connection;
                    }
                },
                TestDatabase.SHOP,
                LIFETIME,
                () -> now,
                10);
        store.revokeToken("t", START.plusSeconds(60));
        assertThat(store(10).isTokenRevoked("t")).isTrue();
    }

    @Test
    void callWithinLessThanItsDeadline_isAnOutageSooner_andWithinMoreNotLater() {
        CountDownLatch free = new CountDownLatch(1);
        DataSource hanging = new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                awaitQuietly(free);
                return super.getConnection();
            }
        };
        JdbcLoginStore patient = new JdbcLoginStore(TestDatabase.patient(hanging), TestDatabase.SHOP, () -> now);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> patient.within(Duration.ofMillis(50)).find("f"))
                .withMessage("No connection to the database was free within 50 milliseconds");
        JdbcRevocationStore impatient = new JdbcRevocationStore(
                DatabaseCalls.of(hanging, "").withDeadline(Duration.ofMillis(50)),
                TestDatabase.SHOP,
                LIFETIME,
                () -> now,
                10);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> impatient.within(Duration.ofMinutes(1)).isTokenRevoked("t"))
                .withMessage("No connection to the database was free within 50 milliseconds");
        free.countDown();
    }

    /** Four logouts fill the threads of the store. */
    @Test
    void copy_isRead_whileLogoutsWaitForADatabase() throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger waiting = new AtomicInteger();
        DataSource slow = new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                if (waiting.getAndIncrement() < 4) {
                    awaitQuietly(free);
                }
                return super.getConnection();
            }
        };
        LocalRevocations copy = LocalRevocations.of(
                new JdbcRevocationStore(TestDatabase.patient(slow), TestDatabase.SHOP, LIFETIME, () -> now, 10),
                LocalRevocationSettings.defaults());
        List<Thread> logouts = IntStream.range(0, 20)
                .mapToObj(i -> new Thread(() -> copy.revokeToken("t" + i, START.plusSeconds(60))))
                .toList();
        logouts.forEach(Thread::start);
        Until.until(() -> waiting.get() == 4);
        copy.refresh();
        assertThat(copy.status().isFresh()).isTrue();
        free.countDown();
        for (Thread each : logouts) {
            each.join();
        }
        assertThat(store(10).isTokenRevoked("t19")).isTrue();
    }

    /** A round trip for each row would take minutes for an emptied table, and the copy would grow old meanwhile. */
    @Test
    void lostRevocations_areRestoredByOneInsert() {
        List<String> statements = new CopyOnWriteArrayList<>();
        DataSource watched = new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection real = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        JdbcStoresTest.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (self, method, arguments) -> {
                            if (method.getName().equals("prepareStatement")) {
                                statements.add(String.valueOf(arguments[0]));
                            }
                            return method.invoke(real, arguments);
                        });
            }
        };
        JdbcRevocationStore store =
                new JdbcRevocationStore(TestDatabase.patient(watched), TestDatabase.SHOP, LIFETIME, () -> now, 10);
        Instant end = START.plusSeconds(60);
        List<Revocation> lost = new ArrayList<>(List.of(Revocation.ofSubject("ada", START, LIFETIME)));
        IntStream.range(0, 199).forEach(i -> lost.add(Revocation.ofToken("t" + i, end)));
        store.restore(lost);
        store.restore(List.of());
        assertThat(statements).hasSize(5);
        assertThat(statements).filteredOn(each -> each.startsWith("INSERT")).hasSize(1);
        assertThat(store(10).isTokenRevoked("t0")).isTrue();
        assertThat(store(10).isTokenRevoked("t198")).isTrue();
        assertThat(store(10).notBefore("ada")).isEqualTo(lost.get(0).notBefore());
        assertThat(store(10).recordedAfter(0, 1_000))
                .extracting(Recorded::revocation)
                .containsExactlyElementsOf(lost);
    }

    /** As after emptied tables, when each node restores its whole copy. */
    @Test
    void revocationThatSeveralNodesRestore_hasOneRow_andALaterBoundOrEndHasAnother() {
        Instant end = START.plusSeconds(60);
        store(10).restore(List.of(Revocation.ofToken("t", end), Revocation.ofSubject("ada", START, LIFETIME)));
        store(10)
                .restore(List.of(
                        Revocation.ofToken("t", end),
                        Revocation.ofToken("u", end),
                        Revocation.ofSubject("ada", START, LIFETIME)));
        assertThat(rowsOfRevocations()).isEqualTo(3);
        store(10).restore(List.of(Revocation.ofToken("t", end.plusSeconds(1))));
        assertThat(rowsOfRevocations()).isEqualTo(4);
        store(10).restore(List.of(Revocation.ofSubject("ada", START.plusSeconds(1), LIFETIME)));
        assertThat(rowsOfRevocations()).isEqualTo(5);
    }

    private int rowsOfRevocations() {
        return store(10).recordedAfter(0, 1_000).size();
    }

    @Test
    void databaseWithoutTheTables_isAnOutageThatNamesTheScript() {
        sql.execute("DROP TABLE latchkey_revocation");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store(10).isTokenRevoked("t"))
                .withMessageContaining("V1__latchkey.sql");
    }

    @Test
    void outage_namesTheKindOfFailure() {
        database.cutOff();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store(10).isTokenRevoked("t"))
                .withMessage("The database failed: CannotCreateTransactionException, caused by "
                        + "SQLTransientConnectionException (SQL state 08001)");
    }

    @Test
    void textThatIsTooLongForAColumn_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logins().start(login("f", "a".repeat(65_536), "1", START)))
                .withMessageContaining("at most 65535 bytes");
        logins().start(login("f", "a".repeat(65_535), "1", START.plusSeconds(60)));
        assertThat(logins().find("f")).isPresent();
    }

    @Test
    void loginWithoutEnd_isKept() {
        logins().start(login("f", "ada", "1", Instant.MAX));
        assertThat(logins().find("f").orElseThrow().endsAt()).isAfter(START.plus(Duration.ofDays(10_000)));
    }

    @Test
    void lifetimeThatIsNotPositive_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcRevocationStore.in(database, TestDatabase.SHOP, Duration.ZERO))
                .withMessageContaining("must be positive");
    }

    @Test
    void schema_isThatOfTheDatabase_andAnotherProductIsRefused() throws SQLException {
        assertThat(JdbcSchema.of(database)).isEqualTo(JdbcSchema.H2);
        assertThat(JdbcSchema.of(product("PostgreSQL"))).isEqualTo(JdbcSchema.POSTGRESQL);
        assertThat(JdbcSchema.of(product("MySQL"))).isEqualTo(JdbcSchema.MYSQL);
        assertThat(JdbcSchema.of(product("MariaDB"))).isEqualTo(JdbcSchema.MYSQL);
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcSchema.of(product("Oracle")))
                .withMessageContaining("Oracle");
    }

    @Test
    void tableThatLacksAnyColumn_isNotThere() {
        assertEachColumnIsNeeded("LATCHKEY_REVOCATION", JdbcSchema::hasRevocations);
        assertEachColumnIsNeeded("LATCHKEY_LOGIN", JdbcSchema::hasLogins);
    }

    private void assertEachColumnIsNeeded(String table, Predicate<DataSource> isThere) {
        assertThat(isThere.test(database)).isTrue();
        List<String> columns = sql.queryForList(
                "SELECT column_name FROM information_schema.columns WHERE table_name = ?", String.class, table);
        assertThat(columns).hasSizeGreaterThan(4);
        for (String column : columns) {
            sql.execute("ALTER TABLE " + table + " ALTER COLUMN " + column + " RENAME TO older");
            assertThat(isThere.test(database)).as(column).isFalse();
            sql.execute("ALTER TABLE " + table + " ALTER COLUMN older RENAME TO " + column);
        }
        assertThat(isThere.test(database)).isTrue();
    }

    private JdbcRevocationStore store(int mostOfOne) {
        return new JdbcRevocationStore(
                TestDatabase.patient(database), TestDatabase.SHOP, LIFETIME, () -> now, mostOfOne);
    }

    private JdbcLoginStore logins() {
        return new JdbcLoginStore(TestDatabase.patient(database), TestDatabase.SHOP, () -> now);
    }

    private static Recorded onlyOf(List<Recorded> recorded) {
        assertThat(recorded).hasSize(1);
        return recorded.get(0);
    }

    private static StoredLogin login(String id, String subject, String hash, Instant end) {
        return new StoredLogin(id, "users", subject, hash, "", Set.of(), START, end, end, null);
    }

    private static String textOf(Map<String, Object> row) {
        StringBuilder text = new StringBuilder();
        row.values()
                .forEach(value -> text.append(
                                value instanceof byte[] bytes ? new String(bytes, StandardCharsets.ISO_8859_1) : value)
                        .append(' '));
        return text.toString();
    }

    private static DelegatingDataSource product(String name) {
        return new DelegatingDataSource() {
            @Override
            public Connection getConnection() {
                DatabaseMetaData database = proxy(DatabaseMetaData.class, name);
                return proxy(Connection.class, database);
            }
        };
    }

    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getReturnType().isInstance(answer) ? answer : null));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
