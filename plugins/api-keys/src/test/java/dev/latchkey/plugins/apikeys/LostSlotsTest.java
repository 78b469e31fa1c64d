package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore.Insertion;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import dev.latchkey.testsupport.WatchedDatabase;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Another insertion takes the free slot first, or nobody hears of the insertion or rotation. */
@Timeout(60)
@Tag("long")
class LostSlotsTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final DataSource plain = Databases.h2();
    private final WatchedDatabase database = new WatchedDatabase(plain);
    private final JdbcApiKeyStore store = new JdbcApiKeyStore(database.dataSource());
    private final JdbcApiKeyStore rival = new JdbcApiKeyStore(plain);
    private final AtomicInteger tries = new AtomicInteger();

    private static StoredKey key(String id, String account) {
        return new StoredKey(id, KeyOwner.of(account), "ci", Set.of(), "k." + id, null, null, NOON, null, null);
    }

    private void insertBefore(int tryUntil) {
        database.beforeInsert(() -> {
            int number = tries.incrementAndGet();
            if (number <= tryUntil) {
                rival.insert(key("rival" + number, "ada"), 9);
            }
        });
    }

    @Test
    void insertionThatLosesItsSlot_takesTheNextOne() {
        insertBefore(2);
        assertThat(store.insert(key("own", "ada"), 3)).isEqualTo(Insertion.DONE);
        assertThat(store.ofAccount("ada")).extracting(StoredKey::id).containsExactly("own", "rival1", "rival2");
        assertThat(tries).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void insertionThatLosesEachSlot_findsNoRoom(int most) {
        insertBefore(most);
        assertThat(store.insert(key("own", "ada"), most)).isEqualTo(Insertion.NO_ROOM);
        assertThat(store.find("own")).isEmpty();
        assertThat(tries).hasValue(most);
    }

    /** A unique column lets each INSERT fail, although the account has room. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void insertionThatLosesMoreSlotsThanTheBound_isAnOutage(int most) {
        rival.insert(key("rival", "bob"), 1);
        JdbcClient.create(plain)
                .sql("ALTER TABLE latchkey_api_key ADD UNIQUE (key_name)")
                .update();
        database.beforeInsert(tries::incrementAndGet);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.insert(key("own", "ada"), most))
                .withMessage("Too many concurrent changes of the API keys of an account");
        assertThat(tries).hasValue(most + 1);
    }

    /** The second connection looks for the id, and the third one tries again. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void insertionThatLosesItsSlot_hasTheRestOfItsTimeForWhatFollows(int hanging) {
        insertBefore(1);
        CountDownLatch free = new CountDownLatch(1);
        AtomicInteger connections = new AtomicInteger();
        database.beforeConnection(() -> {
            if (connections.incrementAndGet() == hanging) {
                await(free);
            }
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.insert(key("own", "ada"), 3))
                .withMessageMatching("No connection to the database was free within 1?\\d{1,3} milliseconds");
        free.countDown();
    }

    /** Nobody knows the text of such a key, and the key would take a place of its account. */
    @Test
    void keyWhoseOwnerGotAnOutage_isDeleted() throws Exception {
        CountDownLatch deleted = new CountDownLatch(1);
        database.afterCommit(() -> {
            database.afterCommit(deleted::countDown);
            throw new SQLRecoverableException("An I/O error occurred", "08006");
        });
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> store.insert(key("own", "ada"), 1));
        await(deleted);
        assertThat(rival.find("own")).isEmpty();
    }

    /** Nobody knows the new secret, and the former secret would end. */
    @Test
    void rotationWhoseOwnerGotAnOutage_isUndone() throws Exception {
        StoredKey before = key("own", "ada");
        rival.insert(before, 1);
        CountDownLatch undone = new CountDownLatch(1);
        database.afterCommit(() -> {
            database.afterCommit(undone::countDown);
            throw new SQLRecoverableException("An I/O error occurred", "08006");
        });
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.replaceSecrets(before, before.rotatedTo("k.new", NOON, NOON)));
        await(undone);
        assertThat(rival.find("own")).contains(before);
    }

    /** Otherwise the row would end with a secret that nobody got. */
    @Test
    void undoOfARotation_staysDone_whereItIsAnOutageToo() throws Exception {
        try (ApiKeys keys = ApiKeys.of(
                store,
                KeyDigests.of(Secret.of(new byte[32])),
                ApiKeySettings.defaults(),
                (plugin, id) -> Optional.of(Authenticated.as(Subject.of(id))))) {
            IssuedKey issued = (IssuedKey) keys.issue(KeyOwner.of("ada"), KeyRequest.named("ci"));
            String id = issued.key().id();
            Optional<StoredKey> before = rival.find(id);
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ZERO), () -> {
                        database.afterCommit(() -> {
                            database.afterCommit(() -> {});
                            throw new SQLRecoverableException("An I/O error occurred", "08006");
                        });
                        throw AuthUnavailableException.outage("The last check has no answer");
                    }));
            awaitAllThreads();
            assertThat(rival.find(id)).isEqualTo(before);
        }
    }

    /** Waits for a commit on each thread of the store. A thread commits the further statements of its last call first. */
    private void awaitAllThreads() throws Exception {
        int threads = 4;
        CountDownLatch all = new CountDownLatch(threads);
        database.afterCommit(() -> {
            all.countDown();
            await(all);
        });
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        callers.invokeAll(Collections.nCopies(threads, () -> store.find("own")));
        callers.shutdown();
        await(all);
    }

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }
}
