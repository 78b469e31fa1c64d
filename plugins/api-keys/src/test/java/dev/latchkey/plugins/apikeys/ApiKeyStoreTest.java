package dev.latchkey.plugins.apikeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore.Insertion;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One suite for all stores. */
@Tag("long")
class ApiKeyStoreTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final int MOST = 20;
    private static final KeyOwner ADA = new KeyOwner("ada", "users");
    private static final StoredKey BARE =
            new StoredKey("abcDEF012345", KeyOwner.of("ada"), "ci", Set.of(), "k.d1", null, null, NOON, null, null);
    private static final StoredKey FULL = new StoredKey(
            "ABCDEF012345",
            ADA,
            "é😀 and more",
            Set.of("orders:read", "z", "A"),
            "k.d2",
            "k.d0",
            NOON.plusSeconds(1),
            NOON.plusMillis(1),
            NOON.plusSeconds(2),
            NOON.plusSeconds(3));

    static Stream<Named<ApiKeyStore>> stores() {
        return Databases.stores();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void storedKey_isFound_letterByLetter(ApiKeyStore store) {
        assertThat(store.find(BARE.id())).isEmpty();
        assertThat(store.insert(BARE, MOST)).isEqualTo(Insertion.DONE);
        assertThat(store.insert(FULL, MOST)).as("differs in case").isEqualTo(Insertion.DONE);
        assertThat(store.find(BARE.id())).contains(BARE);
        assertThat(store.find(FULL.id())).contains(FULL);
        assertThat(store.find("abcdef012345")).isEmpty();
        assertThat(store.ofAccount("ada")).containsExactly(BARE, FULL);
        assertThat(store.ofAccount("Ada")).isEmpty();
        assertThat(store.ofAccount("ada ")).isEmpty();
    }

    /** PostgreSQL ends the transaction of a statement without its table. */
    @Test
    void missingTable_isFoundAtTheStart() {
        for (DataSource database : List.of(Databases.h2(), Databases.postgres())) {
            JdbcApiKeyStore store = new JdbcApiKeyStore(database);
            store.requireTables();
            JdbcClient jdbc = JdbcClient.create(database);
            jdbc.sql("alter table latchkey_api_key rename to elsewhere").update();
            try {
                assertThatExceptionOfType(PluginConfigException.class).isThrownBy(store::requireTables);
            } finally {
                jdbc.sql("alter table elsewhere rename to latchkey_api_key").update();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void longestOfEverything_isStored(ApiKeyStore store) {
        Set<String> scopes = KeyScopes.requireScopes(IntStream.range(0, 50)
                .mapToObj(i -> "scope-of-some-length" + i)
                .toList()
                .subList(0, 40));
        StoredKey long1 = new StoredKey(
                "0".repeat(12),
                new KeyOwner("é".repeat(255), "p".repeat(63)),
                "é".repeat(100),
                scopes,
                KeyDigests.of(dev.latchkey.auth.Secret.of(new byte[32])).currentId() + "." + "f".repeat(64),
                null,
                null,
                NOON,
                null,
                null);
        assertThat(store.insert(long1, MOST)).isEqualTo(Insertion.DONE);
        assertThat(store.find(long1.id())).contains(long1);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void secondInsertOfAnId_changesNothing(ApiKeyStore store) {
        store.insert(BARE, MOST);
        assertThat(store.insert(BARE.withName("other"), MOST)).isEqualTo(Insertion.ID_EXISTS);
        assertThat(store.find(BARE.id())).contains(BARE);
    }

    private static StoredKey key(int number) {
        return new StoredKey("%012d".formatted(number), ADA, "ci", Set.of(), "k.d1", null, null, NOON, null, null);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void insertion_endsAtTheLimit_andGoesOnAfterADeletion(ApiKeyStore store) {
        assertThat(store.insert(key(1), 2)).isEqualTo(Insertion.DONE);
        assertThat(store.insert(key(2), 2)).isEqualTo(Insertion.DONE);
        assertThat(store.insert(key(3), 2)).isEqualTo(Insertion.NO_ROOM);
        assertThat(store.find(key(3).id())).isEmpty();
        StoredKey ofBob =
                new StoredKey("bob012345678", KeyOwner.of("bob"), "ci", Set.of(), "k.d1", null, null, NOON, null, null);
        assertThat(store.insert(ofBob, 1)).isEqualTo(Insertion.DONE);
        store.delete("ada", key(1).id());
        assertThat(store.insert(key(4), 3)).isEqualTo(Insertion.DONE);
        assertThat(store.insert(key(5), 2)).as("a lower limit than before").isEqualTo(Insertion.NO_ROOM);
        store.deleteIssuedUntil("ada", NOON);
        assertThat(store.insert(key(6), 1)).isEqualTo(Insertion.DONE);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void simultaneousInsertions_areDoneUpToTheBound(ApiKeyStore store) throws Exception {
        store.insert(key(100), 5);
        store.insert(key(101), 5);
        store.delete("ada", key(100).id());
        assertThat(successes(i -> store.insert(key(i), 5) == Insertion.DONE)).isEqualTo(4);
        assertThat(store.ofAccount("ada")).hasSize(5);
        store.delete("ada", key(101).id());
        assertThat(successes(i -> store.insert(key(50 + i), 5) == Insertion.DONE))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void changes_areOfTheAccountsOwnKey(ApiKeyStore store) {
        store.insert(BARE, MOST);
        assertThat(store.rename("bob", BARE.id(), "x")).isFalse();
        StoredKey ofBob =
                new StoredKey(BARE.id(), KeyOwner.of("bob"), "ci", Set.of(), "k.d1", null, null, NOON, null, null);
        assertThat(store.replaceSecrets(ofBob, ofBob.rotatedTo("k.d2", NOON, null)))
                .isFalse();
        assertThat(store.delete("bob", BARE.id())).isFalse();
        assertThat(store.deleteIssuedUntil("bob", NOON.plusSeconds(9))).isZero();
        assertThat(store.find(BARE.id())).contains(BARE);

        assertThat(store.rename("ada", BARE.id(), "x")).isTrue();
        assertThat(store.find(BARE.id())).contains(BARE.withName("x"));
        assertThat(store.delete("ada", BARE.id())).isTrue();
        assertThat(store.delete("ada", BARE.id())).isFalse();
        assertThat(store.rename("ada", BARE.id(), "x")).isFalse();
        assertThat(store.find(BARE.id())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void rotation_isOfWhatWasRead_andOfManyAtOnceOneIsDone(ApiKeyStore store) throws Exception {
        store.insert(BARE, MOST);
        Instant until = NOON.plusSeconds(60);
        StoredKey after = BARE.rotatedTo("k.d2", until, NOON);
        assertThat(store.replaceSecrets(BARE.withDigest("k.other"), after)).isFalse();
        assertThat(store.replaceSecrets(BARE, after)).isTrue();
        assertThat(store.find(BARE.id())).contains(after);
        assertThat(successes(i -> store.replaceSecrets(after, after.rotatedTo("k.r" + i, until, null))))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void rotationThatIsUndone_leavesTheKeyAsBefore_butItsNameAndLastUse(ApiKeyStore store) {
        store.insert(FULL, MOST);
        StoredKey after = FULL.rotatedTo("k.d3", NOON.plusSeconds(60), null);
        store.replaceSecrets(FULL, after);
        store.rename("ada", FULL.id(), "x");
        Instant later = NOON.plusSeconds(60);
        store.used(FULL.id(), later, later);
        store.undoReplacement(FULL, after.withDigest("k.other"));
        assertThat(store.find(FULL.id())).contains(after.withName("x").usedAt(later));
        store.undoReplacement(FULL, after);
        assertThat(store.find(FULL.id())).contains(FULL.withName("x").usedAt(later));
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

    @ParameterizedTest
    @MethodSource("stores")
    void digest_isWrittenAnewInPlaceOfTheOneThatWasRead(ApiKeyStore store) {
        store.insert(BARE, MOST);
        store.redigest(BARE.id(), "k.other", "l.d1");
        assertThat(store.find(BARE.id())).contains(BARE);
        store.redigest(BARE.id(), "k.d1", "l.d1");
        assertThat(store.find(BARE.id())).contains(BARE.withDigest("l.d1"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void use_isNotedOnceAMinute_whicheverNodeSeesIt(ApiKeyStore store) {
        store.insert(BARE, MOST);
        store.used(BARE.id(), NOON, NOON.minusSeconds(60));
        assertThat(store.find(BARE.id())).contains(BARE.usedAt(NOON));
        Instant tooSoon = NOON.plusMillis(59_999);
        store.used(BARE.id(), tooSoon, tooSoon.minusSeconds(60));
        assertThat(store.find(BARE.id())).contains(BARE.usedAt(NOON));
        Instant later = NOON.plusSeconds(60);
        store.used(BARE.id(), later, later.minusSeconds(60));
        assertThat(store.find(BARE.id())).contains(BARE.usedAt(later));
        store.used("nobodyhasit0", NOON, NOON);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void keysIssuedUntilThen_areDeleted_andNoOthers(ApiKeyStore store) {
        StoredKey ofBob =
                new StoredKey("bob012345678", KeyOwner.of("bob"), "ci", Set.of(), "k.d1", null, null, NOON, null, null);
        store.insert(BARE, MOST);
        store.insert(FULL, MOST);
        store.insert(ofBob, MOST);
        assertThat(store.deleteIssuedUntil("ada", NOON.minusMillis(1))).isZero();
        assertThat(store.deleteIssuedUntil("ada", NOON)).isEqualTo(1);
        assertThat(store.ofAccount("ada")).containsExactly(FULL);
        assertThat(store.ofAccount("bob")).containsExactly(ofBob);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void allKeys_areDeleted_byTheLastPossibleTime(ApiKeyStore store) {
        store.insert(BARE, MOST);
        assertThat(store.deleteIssuedUntil("ada", Instant.MIN)).isZero();
        assertThat(store.deleteIssuedUntil("ada", Instant.MAX)).isEqualTo(1);
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    @Test
    void poolThatDoesNotCommit_losesNothing() {
        DataSource database = Databases.h2();
        ApiKeyStore store = new JdbcApiKeyStore(new DelegatingDataSource(database) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        });
        store.insert(BARE, MOST);
        assertThat(new JdbcApiKeyStore(database).find(BARE.id())).contains(BARE);
        store.delete("ada", BARE.id());
        assertThat(new JdbcApiKeyStore(database).find(BARE.id())).isEmpty();
    }

    @Test
    void transactionThatIsRolledBackAroundARevocation_doesNotUndoIt() {
        DataSource database = Databases.h2();
        ApiKeyStore store = new JdbcApiKeyStore(database);
        store.insert(BARE, MOST);
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            store.delete("ada", BARE.id());
            status.setRollbackOnly();
        });
        assertThat(store.find(BARE.id())).isEmpty();
    }

    @Test
    void databaseThatIsDown_orHasNoTable_isAnOutage() {
        JdbcDataSource none = new JdbcDataSource();
        none.setURL("jdbc:h2:mem:never-made-keys;IFEXISTS=TRUE");
        JdbcDataSource empty = new JdbcDataSource();
        empty.setURL("jdbc:h2:mem:without-a-table-of-keys");
        for (DataSource database : List.of(none, empty)) {
            ApiKeyStore store = new JdbcApiKeyStore(database);
            List<Runnable> questions = List.of(
                    () -> store.find("x"),
                    () -> store.ofAccount("ada"),
                    () -> store.insert(BARE, MOST),
                    () -> store.rename("ada", "x", "y"),
                    () -> store.replaceSecrets(BARE, FULL),
                    () -> store.undoReplacement(BARE, FULL),
                    () -> store.redigest("x", "y", "z"),
                    () -> store.used("x", NOON, NOON),
                    () -> store.delete("ada", "x"),
                    () -> store.deleteIssuedUntil("ada", NOON));
            for (Runnable question : questions) {
                assertThatThrownBy(question::run)
                        .isInstanceOf(AuthUnavailableException.class)
                        .hasMessageContaining(
                                database == none
                                        ? "The database failed"
                                        : "run the script dev/latchkey/plugins/apikeys/schema-");
            }
        }
    }

    @Test
    void scriptOfMariaDb_differsFromThatOfMySql_inTheNameOfTheCollation() throws IOException {
        assertThat(statementOf("schema-mariadb.sql"))
                .isEqualTo(statementOf("schema-mysql.sql").replace("utf8mb4_0900_bin", "utf8mb4_nopad_bin"));
    }

    private static String statementOf(String script) throws IOException {
        try (InputStream file = Objects.requireNonNull(ApiKeys.class.getResourceAsStream(script))) {
            return new String(file.readAllBytes(), UTF_8).replaceFirst("--.*", "");
        }
    }

    @Test
    void row_printsItsIdAlone() {
        assertThat(FULL).hasToString("StoredKey[ABCDEF012345]");
    }

    @Test
    void rowThatSomebodySpoilt_isAnOutage_andNoForeignException() {
        DataSource database = Databases.h2();
        ApiKeyStore store = new JdbcApiKeyStore(database);
        store.insert(BARE, MOST);
        JdbcClient.create(database)
                .sql("update latchkey_api_key set plugin = 'No Name'")
                .update();
        assertThatThrownBy(() -> store.find(BARE.id())).isInstanceOf(AuthUnavailableException.class);
    }
}
