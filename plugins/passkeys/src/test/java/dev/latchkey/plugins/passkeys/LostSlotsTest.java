package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import dev.latchkey.testsupport.WatchedDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Another registration takes the free slot first. */
@Tag("long")
class LostSlotsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final DataSource plain = Databases.h2();
    private final WatchedDatabase database = new WatchedDatabase(plain);
    private final PasskeyStore store = new JdbcPasskeyStore(database.dataSource());
    private final PasskeyStore rival = new JdbcPasskeyStore(plain);
    private final AtomicInteger tries = new AtomicInteger();

    private static StoredPasskey key(String id, String account) {
        return new StoredPasskey(id, account, "users", "aGFuZGxl", "key", "a2V5", 5, true, false, NOW, null);
    }

    private void insertBefore(int tryUntil) {
        database.beforeInsert(() -> {
            int number = tries.incrementAndGet();
            if (number <= tryUntil) {
                rival.insert(key("rival" + number, "ada"), PasskeyStore.MOST);
            }
        });
    }

    @Test
    void insertionThatLosesItsSlot_takesTheNextOne() {
        insertBefore(2);
        assertThat(store.insert(key("own", "ada"), 3)).isTrue();
        assertThat(store.ofAccount("ada")).extracting(StoredPasskey::id).containsExactly("own", "rival1", "rival2");
        assertThat(tries).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void insertionThatLosesEachSlot_findsNoRoom(int most) {
        insertBefore(most);
        assertThat(store.insert(key("own", "ada"), most)).isFalse();
        assertThat(store.find("own")).isEmpty();
        assertThat(tries).hasValue(most);
    }

    /** A unique column lets each INSERT fail. The account has room, so the answer must not be that it has none. */
    @Test
    void insertionThatLosesMoreSlotsThanTheBound_isAnOutage() {
        rival.insert(key("rival", "bob"), 1);
        JdbcClient.create(plain)
                .sql("ALTER TABLE latchkey_passkey ADD UNIQUE (plugin)")
                .update();
        database.beforeInsert(tries::incrementAndGet);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> store.insert(key("own", "ada"), 1))
                .withMessage("Too many concurrent changes of the passkeys of an account");
        assertThat(tries).hasValue(PasskeyStore.MOST + 1);
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

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }
}
