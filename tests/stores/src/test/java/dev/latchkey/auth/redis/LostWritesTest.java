package dev.latchkey.auth.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisKeyCommands;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A Redis that returns to an earlier state or loses a key, without a failed call: as after a failover to an incomplete replica.
 * No error tells the nodes.
 */
@Timeout(60)
class LostWritesTest {

    private static final Duration LIFETIME = Duration.ofHours(1);

    private final Instant end = Instant.now().plus(LIFETIME);
    private TestRedis redis;
    private StringRedisTemplate commands;

    @BeforeEach
    void empty() {
        redis = RedisServers.single();
        commands = redis.commands();
    }

    @Test
    void lostEntry_isRestoredByItsNode() {
        LocalRevocations one = copy();
        one.revokeToken("early", end);
        one.refresh();
        Map<String, byte[]> before = dump();
        one.revokeToken("lost", end);
        goBackTo(before);
        one.refresh();
        assertThat(copy().isTokenRevoked("lost")).isTrue();
    }

    @Test
    void lostEntryOfAGoneNode_isRestoredByAReader() {
        LocalRevocations author = copy();
        LocalRevocations reader = copy();
        Map<String, byte[]> before = dump();
        author.revokeToken("lost", end);
        author.revokeSubject("ada", end);
        reader.refresh();
        goBackTo(before);
        reader.refresh();
        LocalRevocations later = copy();
        assertThat(later.isTokenRevoked("lost")).isTrue();
        assertThat(later.notBefore("ada")).isAfter(end);
    }

    @Test
    void newEntriesAtLostPositions_areReadByFormerReaders() {
        LocalRevocations reader = copy();
        LocalRevocations author = copy();
        Map<String, byte[]> before = dump();
        for (int i = 0; i < 10; i++) {
            author.revokeToken("lost" + i, end);
        }
        reader.refresh();
        goBackTo(before);
        // At a position that the reader has seen already.
        store().revokeToken("new", end);
        reader.refresh();
        assertThat(reader.isTokenRevoked("new")).isTrue();
    }

    @Test
    void eachKeyThatIsEvictedAlone_isFilledAgain() {
        LocalRevocations node = copy();
        for (String name : List.of("ends", "order", "bounds")) {
            node.revokeToken("t", end);
            node.revokeSubject("ada", end);
            node.refresh();
            commands.delete("latchkey:shop:{revocations}:" + name);
            node.refresh();
            LocalRevocations later = copy();
            assertThat(later.isTokenRevoked("t")).as(name).isTrue();
            assertThat(later.notBefore("ada")).as(name).isAfter(end);
            assertThat(store().isTokenRevoked("t")).as(name).isTrue();
            assertThat(store().notBefore("ada")).as(name).isAfter(end);
        }
    }

    @Test
    void nothingThatIsLost_readsAllAgain() {
        RedisRevocationStore store = store();
        for (int i = 0; i < 5; i++) {
            store.revokeToken("t" + i, end);
            assertThat(store.leaveTrace()).isZero();
        }
    }

    @Test
    void fullServer_goesOnTellingWhatIsRevoked_andTakesNoRevocation() {
        LocalRevocations node = copy();
        node.revokeToken("t", end);
        node.refresh();
        try {
            configure("maxmemory-policy", "noeviction");
            configure("maxmemory", "1");
            node.refresh();
            assertThat(node.status().isFresh()).isTrue();
            assertThat(node.isTokenRevoked("t")).isTrue();
            assertThat(catchThrowable(() -> node.revokeToken("u", end))).hasMessageContaining("OOM");
        } finally {
            configure("maxmemory", "0");
        }
        node.refresh();
        node.revokeToken("u", end);
        assertThat(copy().isTokenRevoked("u")).isTrue();
    }

    private void configure(String name, String value) {
        commands.execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().setConfig(name, value);
            return null;
        });
    }

    /** All that there is now. */
    private Map<String, byte[]> dump() {
        Map<String, byte[]> all = new HashMap<>();
        commands.execute((RedisCallback<Object>) connection -> {
            RedisKeyCommands keys = connection.keyCommands();
            for (byte[] key : Objects.requireNonNull(keys.keys("*".getBytes(StandardCharsets.US_ASCII)))) {
                all.put(new String(key, StandardCharsets.US_ASCII), Objects.requireNonNull(keys.dump(key)));
            }
            return null;
        });
        return all;
    }

    private void goBackTo(Map<String, byte[]> before) {
        commands.execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().flushAll();
            before.forEach((key, value) -> restore(connection, key, value));
            return null;
        });
    }

    private static void restore(RedisConnection connection, String key, byte[] value) {
        connection.keyCommands().restore(key.getBytes(StandardCharsets.US_ASCII), 0, value);
    }

    private RedisRevocationStore store() {
        // A machine with other work is no outage.
        RedisSettings patient = RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));
        return RedisRevocationStore.in(redis, LIFETIME, patient);
    }

    private LocalRevocations copy() {
        SharedRevocationStore store = store();
        LocalRevocations copy = LocalRevocations.of(
                store,
                // Fresh for long, so the copy answers from its own content.
                LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMinutes(10)));
        copy.refresh();
        return copy;
    }
}
