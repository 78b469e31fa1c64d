package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.plugins.passkeys.store.InMemoryPasskeyStore;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import dev.latchkey.testsupport.WatchedDatabase;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One contract for the three stores. */
class PasskeyStoreTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

    private static StoredPasskey key(String id, String account) {
        return new StoredPasskey(id, account, "users", "aGFuZGxl", "key", "a2V5", 5, true, false, NOW, null);
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void row_isReadAsItWasWritten(PasskeyStore store) {
        assertThat(store.insert(key("a", "ada"), 8)).isTrue();
        assertThat(store.find("a")).contains(key("a", "ada"));
        assertThat(store.ofAccount("ada")).containsExactly(key("a", "ada"));
        assertThat(store.find("A")).isEmpty();
        assertThat(store.ofAccount("Ada")).isEmpty();
        assertThat(store.used("a", 5, 9, NOW.plusSeconds(1))).isTrue();
        assertThat(store.find("a")).contains(key("a", "ada").used(9, NOW.plusSeconds(1)));
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void rowWithTheOtherFlags_andWithAUse_isReadAsItWasWritten(PasskeyStore store) {
        StoredPasskey other = new StoredPasskey(
                "b", "ada", "users", "aGFuZGxl", "key", "a2V5", 0, false, true, NOW, NOW.plusMillis(1));
        assertThat(store.insert(other, 8)).isTrue();
        assertThat(store.find("b")).contains(other);
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void insertion_endsAtTheBound_andGoesOnAfterARemoval(PasskeyStore store) {
        assertThat(store.insert(key("a", "ada"), 2)).isTrue();
        assertThat(store.insert(key("b", "ada"), 2)).isTrue();
        assertThat(store.insert(key("c", "ada"), 2)).isFalse();
        assertThat(store.find("c")).isEmpty();
        assertThat(store.insert(key("d", "bob"), 1)).isTrue();
        assertThat(store.delete("ada", "a")).isTrue();
        assertThat(store.insert(key("e", "ada"), 2)).isTrue();
        assertThat(store.ofAccount("ada")).extracting(StoredPasskey::id).containsExactly("b", "e");
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void id_isUniqueInTheService(PasskeyStore store) {
        assertThat(store.insert(key("a", "ada"), 8)).isTrue();
        assertThat(store.insert(key("a", "ada"), 8)).isFalse();
        assertThat(store.insert(key("a", "bob"), 8)).isFalse();
        assertThat(store.find("a").orElseThrow().account()).isEqualTo("ada");
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void counter_isWrittenByOneOfTwo(PasskeyStore store) {
        store.insert(key("a", "ada"), 8);
        assertThat(store.used("a", 5, 6, NOW)).isTrue();
        assertThat(store.used("a", 5, 7, NOW)).isFalse();
        assertThat(store.used("b", 5, 7, NOW)).isFalse();
        assertThat(store.find("a").orElseThrow().counter()).isEqualTo(6);
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void challenge_isUsedOnce(PasskeyStore store) {
        assertThat(store.spend("digest", NOW.plusSeconds(300), NOW)).isTrue();
        assertThat(store.spend("other", NOW.plusSeconds(300), NOW)).isTrue();
        assertThat(store.spend("digest", NOW.plusSeconds(300), NOW)).isFalse();
    }

    @Test
    void usedChallenge_isForgottenInMemory_afterItsEnd() {
        PasskeyStore store = new InMemoryPasskeyStore();
        Instant end = NOW.plusSeconds(300);
        assertThat(store.spend("digest", end, NOW)).isTrue();
        assertThat(store.spend("digest", end, end)).isFalse();
        assertThat(store.spend("digest", end, end.plusMillis(1))).isTrue();
    }

    @Test
    void usedChallenge_isForgottenInADatabase_byTheNextUseAfterItsEnd() throws Exception {
        WatchedDatabase database = new WatchedDatabase(Databases.h2());
        PasskeyStore store = new JdbcPasskeyStore(database.dataSource());
        Instant end = NOW.plusSeconds(300);
        assertThat(swept(database, () -> store.spend("digest", end, NOW))).isTrue();
        assertThat(swept(database, () -> store.spend("other", end.plusSeconds(1), end)))
                .isTrue();
        assertThat(store.spend("digest", end, end)).isFalse();
        assertThat(swept(database, () -> store.spend("third", end.plusSeconds(1), end.plusMillis(1))))
                .isTrue();
        assertThat(store.spend("digest", end, end.plusMillis(1))).isTrue();
        assertThat(store.spend("other", end.plusSeconds(1), end.plusMillis(1))).isFalse();
    }

    /** Returns after the commit of the use, and after that of the deletion behind it. */
    private static boolean swept(WatchedDatabase database, BooleanSupplier use) throws InterruptedException {
        CountDownLatch commits = new CountDownLatch(2);
        database.afterCommit(commits::countDown);
        boolean isFirst = use.getAsBoolean();
        return commits.await(30, TimeUnit.SECONDS) && isFirst;
    }

    @Test
    void row_printsItsIdAlone() {
        assertThat(key("a", "ada")).hasToString("StoredPasskey[a]");
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void removal_isOfTheAccountsOwn(PasskeyStore store) {
        store.insert(key("a", "ada"), 8);
        store.insert(key("b", "ada"), 8);
        store.insert(key("c", "bob"), 8);
        assertThat(store.delete("bob", "a")).isFalse();
        assertThat(store.delete("ada", "a")).isTrue();
        assertThat(store.insert(key("a", "ada"), 8)).isTrue();
        assertThat(store.deleteAll("ada")).isEqualTo(2);
        assertThat(store.ofAccount("bob")).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void bound_holdsForRequestsAtOnce(PasskeyStore store) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Callable<Boolean>> inserts = IntStream.range(0, 12)
                .mapToObj(i -> (Callable<Boolean>) () -> store.insert(key("k" + i, "ada"), 8))
                .toList();
        int stored = 0;
        for (Future<Boolean> each : threads.invokeAll(inserts)) {
            stored += each.get() ? 1 : 0;
        }
        threads.shutdown();
        assertThat(stored).isEqualTo(8);
        assertThat(store.ofAccount("ada")).hasSize(8);
        assertThat(store.insert(key("last", "ada"), 1)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("dev.latchkey.plugins.passkeys.Databases#stores")
    void passkeyLogsIn_byEachStore(PasskeyStore store) {
        Desk desk = new Desk(store);
        Authenticator ada = desk.enrol("ada");
        assertThat(desk.login(ada.sign(desk.passkeys.begin()))).isInstanceOf(Authenticated.class);
    }

    @Test
    void databaseWithoutTables_isAnOutageThatNamesTheScript() {
        JdbcDataSource empty = new JdbcDataSource();
        empty.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        assertThatThrownBy(() -> new JdbcPasskeyStore(empty).find("a"))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("schema-");
    }
}
