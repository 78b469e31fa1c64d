package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watched store of revocations: the same answers, and a line in the log for each outage. */
class WatchedRevocationsTest {

    private static final String LINE = "The store of revocations does not answer: RevocationStore does not answer";

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final RevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
    private final RevocationStore watched = StoreTime.of(store, OutageLog.ofStores(() -> now));

    private final Logger logger = Logger.getLogger(OutageLog.class.getName());
    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void revocations_reachTheStore() {
        watched.revokeToken("a", now.plusSeconds(60));
        watched.revokeTokenOf("alice", "b", now.plusSeconds(60));
        watched.revokeSubject("bob", now);
        assertThat(store.isTokenRevoked("a")).isTrue();
        assertThat(store.isTokenRevoked("b")).isTrue();
        assertThat(store.notBefore("bob")).isAfterOrEqualTo(now);
    }

    @Test
    void answers_areThoseOfTheStore() {
        store.revokeToken("a", now.plusSeconds(60));
        store.revokeSubject("bob", now);
        assertThat(watched.isTokenRevoked("a")).isTrue();
        assertThat(watched.isTokenRevoked("b")).isFalse();
        assertThat(watched.notBefore("bob")).isEqualTo(store.notBefore("bob")).isAfterOrEqualTo(now);
        assertThat(watched.isSubjectRevoked("bob", now.minusSeconds(10))).isTrue();
        assertThat(watched.isSubjectRevoked("alice", now.minusSeconds(10))).isFalse();
    }

    @Test
    void outageOfEachCall_reachesTheCaller_andIsLogged() {
        List<Consumer<RevocationStore>> calls = List.of(
                all -> all.revokeToken("a", now),
                all -> all.revokeTokenOf("alice", "a", now),
                all -> all.revokeSubject("alice", now),
                all -> all.notBefore("alice"),
                all -> all.currentNotBefore("alice"),
                all -> all.isTokenRevoked("a"),
                all -> all.isSubjectRevoked("alice", now));
        for (Consumer<RevocationStore> call : calls) {
            lines.clear();
            RevocationStore down = StoreTime.of(
                    Unreliable.around(RevocationStore.class, store, method -> true), OutageLog.ofStores(() -> now));
            assertThatThrownBy(() -> call.accept(down)).isInstanceOf(AuthUnavailableException.class);
            assertThat(lines).containsExactly(LINE);
        }
    }

    @Test
    void timeBudget_isTheStoresToo_andTheOutagesAreStillLogged() {
        List<Duration> given = new ArrayList<>();
        RevocationStore timed = StoreTime.of(
                Unreliable.around(RevocationStore.class, store, method -> true, method -> false, given::add),
                OutageLog.ofStores(() -> now));
        assertThatThrownBy(() -> timed.isTokenRevoked("a")).isInstanceOf(AuthUnavailableException.class);
        assertThat(given).containsExactly(StoreTime.OF_A_REQUEST);
        assertThat(lines).containsExactly(LINE);
    }
}
