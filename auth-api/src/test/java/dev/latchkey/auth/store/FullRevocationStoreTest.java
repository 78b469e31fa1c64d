package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The callers that can fill an {@link InMemoryRevocationStore}, and the accounts that pay. */
class FullRevocationStoreTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant END = START.plusSeconds(60);
    private static final int TOKENS = 6;
    private static final int TOKENS_OF_ONE = 3;
    private static final int SUBJECTS = 4;

    private Instant now = START.plusMillis(500);
    private final InMemoryRevocationStore store = new InMemoryRevocationStore(
            Duration.ofHours(1), () -> now, new InMemoryRevocationStore.Room(TOKENS, TOKENS_OF_ONE, SUBJECTS));

    @Test
    void subjectThatLogsOutAMillionTimes_takesUpABoundedRoom_andOthersAreRevokedAsEver() {
        for (int i = 0; i < 1_000_000; i++) {
            store.revokeTokenOf("ada", "t" + i, END);
        }
        assertThat(store.size()).isLessThanOrEqualTo(TOKENS_OF_ONE + 1);
        store.revokeSubject("grace", START);
        assertThat(store.isSubjectRevoked("grace", START)).isTrue();
        store.revokeTokenOf("grace", "g", END);
        assertThat(store.isTokenRevoked("g")).isTrue();
        assertThat(store.notBefore("linus")).isEqualTo(Instant.MIN);
    }

    @Test
    void tokensUpToTheBound_revokeTheirSubjectNot_andTheNextOneDoes() {
        for (int i = 0; i < TOKENS_OF_ONE; i++) {
            store.revokeTokenOf("ada", "t" + i, END);
        }
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        store.revokeTokenOf("ada", "more", END);
        assertThat(store.isSubjectRevoked("ada", now)).isTrue();
        assertThat(store.isTokenRevoked("more")).isTrue();
        assertThat(store.isTokenRevoked("t0")).isFalse();
    }

    @Test
    void tokenThatWasRevoked_staysSo_howeverOftenItsSubjectLogsInAndOut() {
        List<Instant> issued = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            // As a login does, once the second of the last revocation is over.
            Instant bound = store.notBefore("ada");
            assertThat(bound).isBeforeOrEqualTo(now.plusSeconds(1));
            now = bound.isAfter(now) ? bound : now;
            issued.add(now.truncatedTo(ChronoUnit.SECONDS));
            store.revokeTokenOf("ada", "t" + i, END);
            for (int earlier = 0; earlier <= i; earlier++) {
                assertThat(isAccepted("ada", "t" + earlier, issued.get(earlier)))
                        .isFalse();
            }
        }
    }

    @Test
    void callerThatLogsOutOnAndOnWhereThereIsNoRoom_isKeptOutUntilTheNextSecond() {
        fillWithTokens();
        for (int i = 0; i < 100; i++) {
            store.revokeTokenOf("ada", "more" + i, END);
        }
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void tokenThatIsRevokedAgain_takesNoOtherPlace() {
        for (int i = 0; i < 100; i++) {
            store.revokeTokenOf("ada", "t", END);
            store.revokeToken("t", END.plusSeconds(i));
        }
        assertThat(store.size()).isEqualTo(1);
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
    }

    @Test
    void placesOfExpiredTokens_areFreeAgain() {
        for (int i = 0; i < 10 * TOKENS_OF_ONE; i++) {
            store.revokeTokenOf("ada", "t" + i, now.plusSeconds(1));
            now = now.plusSeconds(11);
        }
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
    }

    @Test
    void storeFullOfTokens_stillRevokesSubjects_andTokensOfKnownSubjects() {
        fillWithTokens();
        assertThatThrownBy(() -> store.revokeToken("more", END))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE))
                .hasMessageContaining("no room for more tokens (6)");
        store.revokeTokenOf("ada", "adas", END);
        assertThat(isAccepted("ada", "adas", now)).isFalse();
        store.revokeSubject("grace", START);
        assertThat(store.isSubjectRevoked("grace", START)).isTrue();
        assertThat(store.isTokenRevoked("t0")).isTrue();
    }

    @Test
    void accountsOfAnAttacker_useUpHalfOfTheSubjectsRoomAtMost() {
        fillWithTokens();
        int logouts = 0;
        try {
            for (; logouts < 100; logouts++) {
                store.revokeTokenOf("sock-puppet-" + logouts, "p" + logouts, END);
            }
        } catch (AuthUnavailableException full) {
            assertThat(full).hasMessageContaining("no room for more subjects (2)");
        }
        assertThat(logouts).isEqualTo(SUBJECTS / 2);
        store.revokeSubject("ada", START);
        store.revokeSubject("grace", START);
        assertThatThrownBy(() -> store.revokeSubject("linus", START)).isInstanceOf(AuthUnavailableException.class);
        store.revokeSubject("ada", START.plusSeconds(5));
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(6));
    }

    @Test
    void fullStore_extendsItsEntries_andHasRoomAgainWhenEntriesEnd() {
        fillWithTokens();
        store.revokeToken("t0", END.plusSeconds(60));
        assertThat(store.size()).isEqualTo(TOKENS);
        now = END;
        store.revokeToken("more", now.plusSeconds(60));
        assertThat(store.isTokenRevoked("more")).isTrue();
        assertThat(store.isTokenRevoked("t0")).isTrue();
        assertThat(store.isTokenRevoked("t1")).isFalse();
    }

    private void fillWithTokens() {
        for (int i = 0; i < TOKENS; i++) {
            store.revokeToken("t" + i, END);
        }
    }

    private boolean isAccepted(String subject, String token, Instant issuedAt) {
        return !store.isTokenRevoked(token) && !store.isSubjectRevoked(subject, issuedAt);
    }
}
