package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.spring.Unreliable;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A watched store of logins: the same answers, and a line in the log for each outage. */
class WatchedLoginsTest {

    private static final String LINE = "The store of logins does not answer: LoginStore does not answer";

    private final Instant now = Instant.now();
    private final LoginStore store = new InMemoryLoginStore(10);
    private final LoginStore watched = StoreTime.of(store, OutageLog.ofStores(() -> now));
    private final StoredLogin login = login("hash");
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

    private StoredLogin login(String hash) {
        return new StoredLogin(
                "id", "users", "alice", hash, "", Set.of(), now, now.plusSeconds(60), now.plusSeconds(60), null);
    }

    @Test
    void login_isKeptFoundReplacedAndEnded() {
        watched.start(login);
        assertThat(store.find("id")).contains(login);
        assertThat(watched.find("id")).contains(login);
        assertThat(watched.find("other")).isEmpty();
        assertThat(watched.ofOwner(login.subjectId())).containsExactly(login);
        assertThat(watched.replace("other", login("next"))).isFalse();
        assertThat(watched.replace("hash", login("next"))).isTrue();
        assertThat(store.find("id")).contains(login("next"));
        assertThat(watched.end("other")).isFalse();
        assertThat(watched.end("id")).isTrue();
        assertThat(store.find("id")).isEmpty();
    }

    @Test
    void outageOfEachCall_reachesTheCaller_andIsLogged() {
        List<Consumer<LoginStore>> calls = List.of(
                all -> all.start(login),
                all -> all.find("id"),
                all -> all.ofOwner(login.subjectId()),
                all -> all.replace("hash", login),
                all -> all.end("id"));
        for (Consumer<LoginStore> call : calls) {
            lines.clear();
            LoginStore down = StoreTime.of(
                    Unreliable.around(LoginStore.class, store, method -> true), OutageLog.ofStores(() -> now));
            assertThatThrownBy(() -> call.accept(down)).isInstanceOf(AuthUnavailableException.class);
            assertThat(lines).containsExactly(LINE);
        }
    }

    @Test
    void timeBudget_isTheStoresToo_andTheOutagesAreStillLogged() {
        List<Duration> given = new ArrayList<>();
        LoginStore timed = StoreTime.of(
                Unreliable.around(LoginStore.class, store, method -> true, method -> false, given::add),
                OutageLog.ofStores(() -> now));
        assertThatThrownBy(() -> timed.find("id")).isInstanceOf(AuthUnavailableException.class);
        assertThat(given).containsExactly(StoreTime.OF_A_REQUEST);
        assertThat(lines).containsExactly(LINE);
    }
}
