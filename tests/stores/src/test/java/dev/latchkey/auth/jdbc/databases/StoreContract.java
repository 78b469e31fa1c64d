package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.zaxxer.hikari.HikariDataSource;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jdbc.JdbcNodes;
import dev.latchkey.auth.password.upgrade.JdbcStoredPasswords;
import dev.latchkey.auth.store.SharedRevocationStore;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore.Insertion;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import dev.latchkey.testsupport.Until;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The promises of each store about connections and transactions, for every pool and caller. */
@Timeout(120)
abstract class StoreContract {

    /** With the tables of all stores. */
    abstract Server server();

    /** The same, for this node alone. */
    abstract Server another();

    static Stream<Arguments> storesAndPools() {
        return Arrays.stream(Store.values())
                .flatMap(store -> Pool.all().stream().map(pool -> arguments(store, pool)));
    }

    static Stream<Store> storesThatReplace() {
        return Arrays.stream(Store.values()).filter(Store::replacesRows);
    }

    static Stream<Arguments> storesThatReplaceAndPools() {
        return storesThatReplace().flatMap(store -> Pool.all().stream().map(pool -> arguments(store, pool)));
    }

    @ParameterizedTest
    @MethodSource("storesAndPools")
    void write_isThereForOtherConnections_onceTheCallReturns(Store store, Pool settings) {
        String id = newId();
        try (HikariDataSource pool = server().pool(settings)) {
            store.in(pool).write(id);
            assertThat(store.in(server().plain()).has(id)).isTrue();
            if (store.replacesRows()) {
                assertThat(store.in(pool).remove(id)).isTrue();
                assertThat(store.in(server().plain()).has(id)).isFalse();
                assertThat(store.in(pool).remove(id)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("storesAndPools")
    void callerThatRollsBack_undoesNothing(Store store, Pool settings) {
        String id = newId();
        try (HikariDataSource pool = server().pool(settings)) {
            inTransactionOf(pool).executeWithoutResult(status -> {
                readSomething(pool);
                store.in(pool).write(id);
                status.setRollbackOnly();
            });
            assertThat(store.in(pool).has(id)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("storesAndPools")
    void callerInATransaction_seesWhatOthersHaveCommittedMeanwhile(Store store, Pool settings) {
        String id = newId();
        try (HikariDataSource pool = server().pool(settings)) {
            Rows rows = store.in(pool);
            inTransactionOf(pool).executeWithoutResult(status -> {
                readSomething(pool);
                assertThat(rows.has(id)).isFalse();
                store.in(server().plain()).write(id);
                assertThat(rows.has(id)).isTrue();
                if (store.replacesRows()) {
                    assertThat(rows.remove(id)).isTrue();
                    assertThat(rows.has(id)).isFalse();
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("storesThatReplaceAndPools")
    void simultaneousWriters_replaceOnce_andTheLosersAreTold(Store store, Pool settings) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HikariDataSource pool = server().pool(settings)) {
            String id = newId();
            store.in(pool).write(id);
            List<Callable<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Rows rows = store.in(pool);
                writers.add(() -> rows.replace(id));
            }
            int winners = 0;
            for (Future<Boolean> each : threads.invokeAll(writers)) {
                winners += each.get() ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A login with a refresh token waits for the replacement of its hash. */
    @Test
    void hashWhoseRowIsLocked_isGivenUpInTime() throws SQLException {
        DataSource accounts = another().plain();
        JdbcTemplate service = new JdbcTemplate(accounts);
        service.execute("DROP TABLE IF EXISTS hashes");
        service.execute("CREATE TABLE hashes (username VARCHAR(100) PRIMARY KEY, password VARCHAR(200))");
        service.update("INSERT INTO hashes VALUES ('ada', 'old')");
        JdbcStoredPasswords hashes = new JdbcStoredPasswords(accounts, "hashes", "username", "password");
        try (Connection other = accounts.getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.executeUpdate("UPDATE hashes SET password = 'other' WHERE username = 'ada'");
            Instant begun = Instant.now();
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> hashes.replace("ada", "old", "new"));
            assertThat(begun).isAfter(Instant.now().minus(Duration.ofSeconds(20)));
            other.rollback();
        }
        assertThat(hashes.replace("ada", "old", "new")).isTrue();
    }

    static Stream<Pool> pools() {
        return Pool.all().stream();
    }

    @ParameterizedTest
    @MethodSource("pools")
    void simultaneousApiKeys_areIssuedUpToTheBound(Pool settings) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HikariDataSource pool = server().pool(settings)) {
            ApiKeyStore store = new JdbcApiKeyStore(pool);
            ApiKeyStore otherNodes = new JdbcApiKeyStore(server().plain());
            KeyOwner owner = KeyOwner.of(newId());
            List<Callable<Insertion>> insertions = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                ApiKeyStore node = i % 2 == 0 ? store : otherNodes;
                insertions.add(() -> node.insert(
                        new StoredKey(newId(), owner, "ci", Set.of(), "k.d", null, null, Instant.EPOCH, null, null),
                        5));
            }
            List<Insertion> results = new ArrayList<>();
            for (Future<Insertion> each : threads.invokeAll(insertions)) {
                results.add(each.get());
            }
            assertThat(results).filteredOn(Insertion.DONE::equals).hasSize(5);
            assertThat(results).filteredOn(Insertion.NO_ROOM::equals).hasSize(3);
            assertThat(store.ofAccount(owner.account())).hasSize(5);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolOfOne_suffices_outsideATransaction(Store store) {
        String id = newId();
        try (HikariDataSource pool = server().pool(Pool.DEFAULT.ofOne())) {
            store.in(pool).write(id);
            assertThat(store.in(pool).has(id)).isTrue();
        }
    }

    /** All stores at once, since each waits for its deadline. */
    @Test
    void poolOfOne_whoseConnectionTheCallerHolds_isAnOutageAtTheDeadline_andWritesNothingLater() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(Store.values().length);
        try {
            List<Callable<Void>> calls = new ArrayList<>();
            for (Store store : Store.values()) {
                calls.add(() -> {
                    writeWhileTheOnlyConnectionIsTaken(store);
                    return null;
                });
            }
            for (Future<Void> each : threads.invokeAll(calls)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void writeWhileTheOnlyConnectionIsTaken(Store store) {
        String id = newId();
        try (HikariDataSource pool = server().pool(Pool.DEFAULT.ofOne())) {
            Rows rows = store.in(pool);
            inTransactionOf(pool).executeWithoutResult(status -> {
                readSomething(pool);
                long start = System.nanoTime();
                assertThatExceptionOfType(AuthUnavailableException.class)
                        .as(store.name())
                        .isThrownBy(() -> rows.write(id))
                        .withMessageContaining("The caller's transaction holds one");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
            });
            // The pool has the connection again: an abandoned call does not begin now.
            assertThat(rows.has(id)).as(store.name()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void connection_goesBackAsItCame(Store store) throws SQLException {
        String id = newId();
        Pool settings = new Pool(Pool.Commits.BY_ITSELF, "TRANSACTION_SERIALIZABLE", 1);
        try (HikariDataSource pool = server().pool(settings)) {
            store.in(pool).write(id);
            assertThat(store.in(pool).has(id)).isTrue();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                assertThat(statement.getQueryTimeout()).isZero();
            }
        }
    }

    /** The server's time, read in the zone of this JVM, would be hours ahead. */
    @Test
    void nodeWithAFastClock_inAnotherTimeZone_deletesNoRowThatIsNeeded() {
        String id = newId();
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Pago_Pago"));
        try (HikariDataSource pool = server().pool(Pool.DEFAULT)) {
            SharedRevocationStore revocations = JdbcNodes.revocations(pool, "shop", InstantSource.system());
            revocations.recordToken(id, Instant.now().plus(Duration.ofMinutes(30)));
            JdbcNodes.sweep(pool, InstantSource.offset(InstantSource.system(), Duration.ofHours(1)));
            assertThat(revocations.isTokenRevoked(id)).isTrue();
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tableOfAnOlderShape_isAnOutage_thatNamesTheScript(Store store) {
        new JdbcTemplate(another().plain()).execute("DROP TABLE " + store.table());
        new JdbcTemplate(another().plain()).execute("CREATE TABLE " + store.table() + " (account VARCHAR(10))");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.in(another().plain()).has(newId()))
                .withMessageContaining("run the script");
    }

    /** As a server that is no primary any more: each SELECT has an answer, and each change is refused. */
    void assertNoAnswerWithoutChanges(Store store, Server ofTheOwner, String demotion, String promotion) {
        String id = newId();
        store.in(server().plain()).write(id);
        JdbcTemplate owner = new JdbcTemplate(ofTheOwner.plain());
        owner.execute(demotion);
        try (HikariDataSource pool = server().pool(Pool.DEFAULT.ofOne())) {
            assertThat(new JdbcTemplate(pool).queryForObject("SELECT count(*) FROM " + store.table(), Long.class))
                    .isNotNegative();
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> store.in(pool).has(newId()))
                    .withMessageContaining("accepts no changes");
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> store.in(pool).writeAgain(id));
            owner.execute(promotion);
            Until.until(() -> isAnswered(store, pool));
        } finally {
            owner.execute(promotion);
        }
    }

    private static boolean isAnswered(Store store, HikariDataSource pool) {
        try {
            return !store.in(pool).has(newId());
        } catch (AuthUnavailableException e) {
            return false;
        }
    }

    /** A dump and a new index let other connections read. */
    void assertAnswersBeside(Store store, Server ofTheOwner, String lock) throws SQLException {
        try (HikariDataSource pool = server().pool(Pool.DEFAULT.ofOne());
                Connection dump = ofTheOwner.plain().getConnection();
                Statement statement = dump.createStatement()) {
            dump.setAutoCommit(false);
            statement.execute(lock);
            assertThat(store.in(pool).has(newId())).isFalse();
        }
    }

    private static TransactionTemplate inTransactionOf(HikariDataSource pool) {
        return new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    /** Lets the caller's transaction take a connection, and a snapshot if any. */
    private static void readSomething(HikariDataSource pool) {
        new JdbcTemplate(pool).queryForObject("SELECT count(*) FROM of_the_service", Long.class);
    }

    /** As API keys have them. */
    private static String newId() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    }
}
