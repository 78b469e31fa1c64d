package dev.latchkey.auth.jdbc;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.StoredLogin;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The call that replaced a refresh token failed: the owner got 503, knows the first token only, and may repeat the first token.
 * After a client has received the new token, the first token is stolen.
 */
class UntoldReplacementsTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = AT.plusSeconds(3_600);
    private static final Instant END = AT.plusSeconds(1_000_000);

    @Timeout(120)
    abstract static class Replacements {

        private TestDatabase database;
        private BrokenCommits broken;
        private JdbcLoginStore logins;
        private volatile Instant now = AT;

        abstract TestDatabase database() throws SQLException;

        abstract void close(TestDatabase database);

        @BeforeEach
        void open() throws SQLException {
            database = database();
            broken = new BrokenCommits(database);
            // By another store, which may still have expired rows to delete: the next connection here belongs to the
            // test.
            new JdbcLoginStore(TestDatabase.patient(database), TestDatabase.SHOP, () -> now)
                    .start(login("first", null));
            logins = new JdbcLoginStore(TestDatabase.patient(broken), TestDatabase.SHOP, () -> now);
        }

        @AfterEach
        void close() {
            close(database);
        }

        @Test
        void replacementWithALostAcknowledgement_isNew_untilAClientHasIt() {
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.replace("first", second()));
            now = LATER;
            until(() -> replacedAt().equals(now));
            // The owner gets as little at the next attempt.
            StoredLogin present = logins.find("f").orElseThrow();
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.replace("second", present));
            now = LATER.plusSeconds(3_600);
            until(() -> replacedAt().equals(now));
            assertThat(logins.replace("second", logins.find("f").orElseThrow())).isTrue();
            Instant told = now;
            now = now.plusSeconds(3_600);
            assertThat(replacedAt()).isEqualTo(told);
        }

        @Test
        void replacementAfterItsCallerHasGone_isNew() throws Exception {
            CountDownLatch free = new CountDownLatch(1);
            broken.beforeNextCommit(interruptingCaller(free));
            assertOutage(() -> logins.replace("first", second()));
            assertThat(Thread.interrupted()).isTrue();
            free.countDown();
            now = LATER;
            until(() -> tokenHash().equals("second") && replacedAt().equals(LATER));
        }

        @Test
        void replacementOfAGoneCaller_doesNotBegin() throws Exception {
            CountDownLatch free = new CountDownLatch(1);
            broken.beforeNextConnection(interruptingCaller(free));
            assertOutage(() -> logins.replace("first", second()));
            assertThat(Thread.interrupted()).isTrue();
            free.countDown();
            // One call more than the store has threads, so the abandoned call has finished.
            for (int i = 0; i < 5; i++) {
                assertThat(tokenHash()).isEqualTo("first");
            }
        }

        @Test
        void replacementKnownToAClient_keepsItsTime_despiteOtherFailedCalls() {
            assertThat(logins.replace("first", second())).isTrue();
            String told = senders();
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.replace("second", second()));
            until(() -> told.equals(senders()));
            now = LATER;
            assertThat(replacedAt()).isEqualTo(AT);
        }

        @Test
        void replacementKnownToTheSecondCallerAlone_keepsItsTime() {
            CountDownLatch free = new CountDownLatch(1);
            broken.beforeNextCommit(interruptingCaller(free));
            assertOutage(() -> logins.replace("first", second()));
            assertThat(Thread.interrupted()).isTrue();
            // The first call locks the row until the commit, and the second call sees the result.
            free.countDown();
            until(() -> tokenHash().equals("second"));
            assertThat(logins.replace("second", second())).isTrue();
            until(() -> senders().length() == " 01234567".length());
            now = LATER;
            assertThat(replacedAt()).isEqualTo(AT);
        }

        @Test
        void replacementWithASuccessor_isNotTheSuccessor() {
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.replace("first", second()));
            now = LATER;
            until(() -> replacedAt().equals(LATER));
            assertThat(logins.replace("second", login("third", new StoredLogin.Replaced("second", "seed", AT))))
                    .isTrue();
            assertThat(replacedAt()).isEqualTo(AT);
        }

        /** The names are bounded, and within the bound no name is forgotten. */
        @Test
        void replacementKnownToMany_isNeverNew() {
            assertThat(logins.replace("first", second())).isTrue();
            for (int i = 0; i < 100; i++) {
                assertThat(logins.replace("second", second())).isTrue();
            }
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.replace("second", second()));
            now = LATER;
            assertThat(senders()).isEqualTo("null");
            assertThat(replacedAt()).isEqualTo(AT);
        }

        /** Such a session would take a place of its account, and no client could use the session. */
        @Test
        void startedSession_whoseCallerGotAnOutage_isDeleted() {
            StoredLogin other = new StoredLogin("g", "users", "ada", "other", "", Set.of(), AT, END, END, null);
            broken.loseNextAcknowledgement();
            assertOutage(() -> logins.start(other));
            until(() -> logins.find("g").isEmpty());
            logins.start(other);
            assertThat(logins.find("g")).isPresent();
        }

        private Instant replacedAt() {
            return Objects.requireNonNull(logins.find("f").orElseThrow().replaced())
                    .at();
        }

        private String tokenHash() {
            return logins.find("f").orElseThrow().tokenHash();
        }

        private String senders() {
            return String.valueOf(
                    new JdbcTemplate(database).queryForObject("SELECT sent_by FROM latchkey_login", String.class));
        }

        private BrokenCommits.Fault interruptingCaller(CountDownLatch free) {
            Thread caller = Thread.currentThread();
            return () -> {
                caller.interrupt();
                try {
                    assertThat(free.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
        }
    }

    @Nested
    class InH2 extends Replacements {

        @Override
        TestDatabase database() throws SQLException {
            return TestDatabase.h2();
        }

        @Override
        void close(TestDatabase database) {
            database.close();
        }
    }

    @Nested
    class InH2AsMySql extends Replacements {

        @Override
        TestDatabase database() throws SQLException {
            return TestDatabase.h2AsMySql();
        }

        @Override
        void close(TestDatabase database) {
            database.close();
        }
    }

    @Nested
    class InPostgres extends Replacements {

        @Override
        TestDatabase database() throws SQLException {
            return PostgresServer.database();
        }

        @Override
        void close(TestDatabase database) {
            // It is for all tests of a build.
        }
    }

    private static StoredLogin second() {
        return login("second", new StoredLogin.Replaced("first", "seed", AT));
    }

    private static StoredLogin login(String tokenHash, StoredLogin.@Nullable Replaced replaced) {
        return new StoredLogin("f", "users", "ada", tokenHash, "", Set.of(), AT, END, END, replaced);
    }

    private static void assertOutage(ThrowingCallable call) {
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(call);
    }
}
