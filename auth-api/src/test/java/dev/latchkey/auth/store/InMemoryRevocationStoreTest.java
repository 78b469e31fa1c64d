package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InMemoryRevocationStoreTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final InMemoryRevocationStore.Room ROOM = new InMemoryRevocationStore.Room(3, 2, 4);

    private Instant now = START;
    private final InMemoryRevocationStore store = new InMemoryRevocationStore(LIFETIME, () -> now, ROOM);

    @Test
    void tokenWithoutRevocation_isNotRevoked() {
        assertThat(store.isTokenRevoked("t1")).isFalse();
    }

    @Test
    void revokedToken_isRevokedAndNoOtherIs() {
        store.revokeToken("t1", START.plusSeconds(60));
        assertThat(store.isTokenRevoked("t1")).isTrue();
        assertThat(store.isTokenRevoked("t2")).isFalse();
    }

    @Test
    void tokenExpiringInOneNanosecond_isRemembered() {
        store.revokeToken("t1", START.plusNanos(1));
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void tokenExpiringNow_isNotRemembered() {
        store.revokeToken("t1", START);
        assertThat(store.size()).isZero();
    }

    @Test
    void tokenRevokedTwice_isRememberedUntilTheLaterEnd() {
        store.revokeToken("t1", START.plusSeconds(60));
        store.revokeToken("t1", START.plusSeconds(20));
        now = START.plusSeconds(59);
        sweep();
        assertThat(store.isTokenRevoked("t1")).isTrue();
    }

    @Test
    void expiredRevocations_areSweptAtTheirEndAndNotBefore() {
        store.revokeToken("t1", START.plusSeconds(60));
        now = START.plusSeconds(60).minusNanos(1);
        sweep();
        assertThat(store.isTokenRevoked("t1")).isTrue();
        now = START.plusSeconds(70);
        sweep();
        assertThat(store.isTokenRevoked("t1")).isFalse();
    }

    @Test
    void sweeps_areTenSecondsApart() {
        store.revokeToken("t1", START.plusSeconds(1));
        now = START.plusSeconds(10).minusNanos(1);
        store.revokeToken("t2", now.plusSeconds(60));
        assertThat(store.size()).isEqualTo(2);
        now = START.plusSeconds(10);
        store.revokeToken("t3", now.plusSeconds(60));
        assertThat(store.size()).isEqualTo(2);
        assertThat(store.isTokenRevoked("t1")).isFalse();
    }

    @Test
    void sweeps_goOnWhereTheClockWasAYearAhead_andIsSetBack() {
        now = START.plus(Duration.ofDays(365));
        sweep();
        now = START;
        store.revokeToken("t1", START.plusSeconds(10));
        now = START.plusSeconds(10);
        sweep();
        assertThat(store.isTokenRevoked("t1")).isFalse();
    }

    @Test
    void subjectWithoutRevocation_hasNoBound() {
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
        assertThat(store.isSubjectRevoked("ada", Instant.EPOCH)).isFalse();
    }

    @Test
    void tokenOfTheSameSecondAsTheRevocation_isRevoked() {
        store.revokeSubject("ada", START.plusMillis(500));
        assertThat(store.isSubjectRevoked("ada", START)).isTrue();
        assertThat(store.isSubjectRevoked("ada", START.plusMillis(999))).isTrue();
    }

    @Test
    void tokenOfTheNextWholeSecond_isNotRevoked() {
        store.revokeSubject("ada", START.plusMillis(500));
        assertThat(store.isSubjectRevoked("ada", START.plusSeconds(1))).isFalse();
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void revocationAtAWholeSecond_catchesThatSecond() {
        store.revokeSubject("ada", START);
        assertThat(store.isSubjectRevoked("ada", START)).isTrue();
        assertThat(store.isSubjectRevoked("ada", START.plusSeconds(1))).isFalse();
    }

    @Test
    void revocationOfOneSubject_leavesOthersAlone() {
        store.revokeSubject("ada", START);
        assertThat(store.isSubjectRevoked("grace", START)).isFalse();
    }

    @Test
    void laterRevocation_canOnlyExtendTheBound() {
        store.revokeSubject("ada", START);
        store.revokeSubject("ada", START.minusSeconds(3600));
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        store.revokeSubject("ada", START.plusSeconds(5));
        assertThat(store.notBefore("ada")).isEqualTo(START.plusSeconds(6));
    }

    @Test
    void subjectsRevocation_isKeptForTheLongestLifetimeOfAToken() {
        store.revokeSubject("ada", START);
        Instant end = START.plusSeconds(1).plus(LIFETIME);
        now = end.minusNanos(1);
        sweep();
        assertThat(store.isSubjectRevoked("ada", START)).isTrue();
        now = end.plusSeconds(10);
        sweep();
        assertThat(store.notBefore("ada")).isEqualTo(Instant.MIN);
    }

    @Test
    void revocationForEver_isKeptForEver() {
        store.revokeSubject("ada", Instant.MAX);
        now = START.plus(Duration.ofDays(100_000));
        sweep();
        assertThat(store.isSubjectRevoked("ada", now)).isTrue();
    }

    @Test
    void lifetimeBeyondAllTime_isNoError() {
        RevocationStore endless = new InMemoryRevocationStore(Duration.ofSeconds(Long.MAX_VALUE), () -> now, ROOM);
        endless.revokeSubject("ada", START);
        assertThat(endless.isSubjectRevoked("ada", START)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void lifetimeThatIsNotPositive_isRefused(long nanos) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InMemoryRevocationStore(Duration.ofNanos(nanos)))
                .withMessageContaining("must be positive");
    }

    @Test
    void defaultStore_runsOnTheSystemsTime() {
        InMemoryRevocationStore real = new InMemoryRevocationStore(Duration.ofNanos(1));
        real.revokeToken("past", Instant.EPOCH);
        real.revokeToken("future", Instant.MAX);
        assertThat(real.isTokenRevoked("past")).isFalse();
        assertThat(real.isTokenRevoked("future")).isTrue();
    }

    /** A revocation whose end is one nanosecond later: the next call looks for expired entries. */
    private void sweep() {
        store.revokeToken("sweep", now.plusNanos(1));
    }
}
