package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InMemoryLoginStoreTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    private Instant now = START;
    private final InMemoryLoginStore store = new InMemoryLoginStore(100, () -> now);

    @Test
    void replacement_needsTheTokenThatIsGoodNow() {
        store.start(login("f", "alice", "1"));
        assertThat(store.replace("2", login("f", "alice", "3"))).isFalse();
        assertThat(store.replace("1", login("f", "alice", "2"))).isTrue();
        assertThat(store.replace("1", login("f", "alice", "3"))).isFalse();
        assertThat(store.find("f").orElseThrow().tokenHash()).isEqualTo("2");
        assertThat(store.replace("1", login("unknown", "alice", "2"))).isFalse();
    }

    @Test
    void endedFamily_isGone_andEndsOnce() {
        store.start(login("f", "alice", "1"));
        assertThat(store.end("f")).isTrue();
        assertThat(store.end("f")).isFalse();
        assertThat(store.find("f")).isEmpty();
        assertThat(store.replace("1", login("f", "alice", "2"))).isFalse();
        assertThat(store.size()).isZero();
    }

    @Test
    void fullStore_forgetsTheOneThatWasProlongedTheLongestAgo() {
        for (int i = 0; i < 100; i++) {
            store.start(login("f" + i, "s" + i, "1"));
        }
        assertThat(store.replace("1", login("f0", "s0", "2"))).isTrue();
        store.start(login("more", "s", "1"));
        assertThat(store.size()).isEqualTo(100);
        assertThat(store.find("f0")).isPresent();
        assertThat(store.find("f1")).isEmpty();
    }

    @Test
    void subjectThatLogsInWithoutEnd_pushesOutItsOwnLoginsOnly() {
        store.start(login("bobs", "bob", "1"));
        for (int i = 0; i < 1000; i++) {
            store.start(login("f" + i, "alice", "1"));
        }
        assertThat(store.find("bobs")).isPresent();
        assertThat(store.size()).isEqualTo(51);
        assertThat(store.find("f949")).isEmpty();
        assertThat(store.find("f950")).isPresent();
    }

    @Test
    void replacement_tellsTheLateCallerTheReplacedToken() {
        store.start(login("f", "alice", "1"));
        StoredLogin.Replaced replaced = new StoredLogin.Replaced("1", "seed", START);
        Instant end = START.plusSeconds(60);
        store.replace("1", new StoredLogin("f", "users", "alice", "2", "", Set.of(), START, end, end, replaced));
        assertThat(store.find("f").orElseThrow().replaced()).isEqualTo(replaced);
    }

    @Test
    void expiredLogins_areForgottenByTheNextLogin() {
        store.start(login("f", "alice", "1"));
        now = START.plusSeconds(60);
        store.start(new StoredLogin(
                "g", "users", "bob", "1", "", Set.of(), now, now.plusSeconds(60), now.plusSeconds(60), null));
        assertThat(store.size()).isEqualTo(1);
        assertThat(store.find("f")).isEmpty();
    }

    @Test
    void storeWithoutRoom_andLoginBeyondItsEnd_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new InMemoryLoginStore(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new StoredLogin("f", "users", "a", "1", "", Set.of(), START, START, START.plusNanos(1), null));
    }

    @Test
    void loginStartedTwice_isOne() {
        store.start(login("f", "alice", "1"));
        store.start(login("f", "alice", "2"));
        assertThat(store.ofOwner("alice")).containsExactly(login("f", "alice", "2"));
        store.end("f");
        assertThat(store.ofOwner("alice")).isEmpty();
    }

    private static StoredLogin login(String id, String subject, String tokenHash) {
        Instant end = START.plusSeconds(60);
        return new StoredLogin(id, "users", subject, tokenHash, "", Set.of(), START, end, end, null);
    }
}
