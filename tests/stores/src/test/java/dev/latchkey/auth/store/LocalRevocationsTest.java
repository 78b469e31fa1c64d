package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import dev.latchkey.testsupport.Until;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy's own answers, its calls of the store, and its permanent memory. */
class LocalRevocationsTest {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant END = START.plusSeconds(1800);

    private final MapSharedRevocations store = new MapSharedRevocations();
    private Instant now = START;
    private long nanos = 1;

    @Test
    void freshCopy_asksNothing() {
        LocalRevocations copy = read(node());
        store.revokeToken("t", END);
        store.revokeSubject("ada", START);
        copy.refresh();
        store.questions();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.isTokenRevoked("u")).isFalse();
        assertThat(copy.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        assertThat(copy.notBefore("grace")).isEqualTo(Instant.MIN);
        assertThat(store.questions()).isZero();
    }

    @Test
    void copyAtItsLastFreshNanosecond_asksNothing_andOneLaterItAsks() {
        LocalRevocations copy = read(node());
        store.questions();
        pass(Duration.ofSeconds(2));
        assertThat(copy.isTokenRevoked("t")).isFalse();
        assertThat(store.questions()).isZero();
        assertThat(copy.status().isFresh()).isTrue();
        nanos++;
        store.revokeToken("t", END);
        store.revokeSubject("ada", START);
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        assertThat(store.questions()).isEqualTo(2);
        assertThat(copy.status().isFresh()).isFalse();
        assertThat(copy.status().isAnswering()).isTrue();
    }

    @Test
    void ageOfACopy_isThatOfTheBeginOfItsReading() {
        LocalRevocations copy = LocalRevocations.of(
                new Slow(store, Duration.ofSeconds(3)), LocalRevocationSettings.defaults(), () -> now, () -> nanos);
        copy.refresh();
        assertThat(copy.status().age())
                .hasValueSatisfying(age -> assertThat(age).isGreaterThan(Duration.ofSeconds(2)));
        assertThat(copy.status().isFresh()).isFalse();
    }

    /** The twelve pages take six seconds, and another node revokes a token after each page. */
    @Test
    void copyIsFresh_andHasNewRevocations_duringALongReadingOfAll() {
        LongCalls calls = new LongCalls(store);
        calls.time = Duration.ofMillis(500);
        LocalRevocations copy = withManyEntries(calls);
        pass(CopyReader.READ_ALL_INTERVAL);
        calls.meanwhile = () -> {
            store.questions();
            assertThat(copy.status().isFresh()).isTrue();
            assertThat(copy.isTokenRevoked("during" + calls.made)).isEqualTo(calls.made > 0);
            assertThat(store.questions()).isZero();
            calls.made++;
            store.revokeToken("during" + calls.made, END);
        };
        copy.refresh();
        assertThat(calls.made).isEqualTo(12);
        assertThat(copy.status().isFresh()).isTrue();
    }

    @Test
    void copyThatIsStaleSoon_isFreshDuringALongReadingOfAll() {
        LongCalls calls = new LongCalls(store);
        calls.time = Duration.ofMillis(50);
        LocalRevocations copy =
                withManyEntries(calls, LocalRevocationSettings.defaults().withStaleAfter(Duration.ofMillis(100)));
        pass(CopyReader.READ_ALL_INTERVAL);
        calls.meanwhile = () -> {
            calls.made++;
            assertThat(copy.status().isFresh()).isTrue();
        };
        copy.refresh();
        assertThat(calls.made).isEqualTo(12);
    }

    @Test
    void copyIsFresh_whileLostEntriesAreRestored() {
        LongCalls calls = new LongCalls(store);
        LocalRevocations copy = withManyEntries(calls);
        store.loseUpTo(2_000);
        pass(CopyReader.READ_ALL_INTERVAL);
        calls.meanwhile = () -> {
            calls.made++;
            assertThat(copy.status().isFresh()).isTrue();
        };
        copy.refresh();
        assertThat(calls.made).isGreaterThan(10);
        assertThat(store.isTokenRevoked("t0")).isTrue();
    }

    /** As {@link #copyIsFresh_andHasNewRevocations_duringALongReadingOfAll}, but the copy may lack entries. */
    @ParameterizedTest
    @EnumSource
    void copyThatMayLackEntries_isNotFresh_beforeAReadingOfAllHasEnded(Doubt doubt) {
        LongCalls calls = new LongCalls(store);
        LocalRevocations copy = withManyEntries(calls);
        pass(CopyReader.READ_ALL_INTERVAL);
        if (doubt == Doubt.CLOCK_SET_BACK) {
            now = START.minusSeconds(1);
        }
        calls.meanwhile = () -> {
            calls.made++;
            if (calls.made == 1) {
                switch (doubt) {
                    case OTHER_MARK -> store.recordSubject(CopyReader.MARK, Instant.parse("9999-12-30T00:00:00Z"));
                    case VANISHED_TRACE -> calls.losses = 1;
                    case LOST_LATEST_ENTRIES -> store.goBackTo(store.lastPosition() - 1);
                    case CLOCK_SET_BACK -> assertThat(copy.status().isFresh()).isFalse();
                }
            }
            assertThat(calls.made < 10 || !copy.status().isFresh()).isTrue();
        };
        copy.refresh();
        assertThat(calls.made).isGreaterThanOrEqualTo(10);
        assertThat(copy.status().isFresh()).isFalse();
    }

    enum Doubt {
        OTHER_MARK,
        VANISHED_TRACE,
        LOST_LATEST_ENTRIES,
        CLOCK_SET_BACK
    }

    /** Read, with the floor of the next reading near the last entry. */
    private LocalRevocations withManyEntries(LongCalls calls) {
        return withManyEntries(calls, LocalRevocationSettings.defaults());
    }

    private LocalRevocations withManyEntries(LongCalls calls, LocalRevocationSettings settings) {
        for (int i = 0; i < 60_000; i++) {
            store.revokeToken("t" + i, END);
        }
        LocalRevocations copy = read(LocalRevocations.of(calls, settings, () -> now, () -> nanos));
        pass(Duration.ofSeconds(11));
        return read(copy);
    }

    @Test
    void revocationFromTheStore_staysAfterAnOlderReading() {
        Interrupted interrupted = new Interrupted(store);
        LocalRevocations copy =
                LocalRevocations.of(interrupted, LocalRevocationSettings.defaults(), () -> now, () -> nanos);
        interrupted.meanwhile = () -> {
            store.revokeToken("t", END);
            store.revokeSubject("ada", START);
            assertThat(copy.isTokenRevoked("t")).isTrue();
            assertThat(copy.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        };
        copy.refresh();
        interrupted.meanwhile = () -> {};
        assertThat(copy.status().isFresh()).isTrue();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        // From the next reading on, with its own end.
        copy.refresh();
        now = END.plus(Duration.ofMinutes(2));
        pass(Duration.ofMinutes(1));
        copy.refresh();
        assertThat(copy.isTokenRevoked("t")).isFalse();
    }

    @Test
    void repeatedLogout_isNotRecordedAgain_andALaterEndIs() {
        LocalRevocations copy = read(node());
        copy.revokeTokenOf("ada", "t", END);
        long recorded = store.lastPosition();
        copy.revokeTokenOf("ada", "t", END);
        copy.revokeToken("t", END.minusSeconds(1));
        assertThat(store.lastPosition()).isEqualTo(recorded);
        copy.revokeToken("t", END.plusSeconds(1));
        copy.revokeTokenOf("ada", "t", END.plusSeconds(2));
        assertThat(store.lastPosition()).isEqualTo(recorded + 2);
    }

    /** The copy keeps the store's answer for a minute, without the end of the entry. */
    @Test
    void logoutOfATokenThatTheStoreAloneKnows_isRecorded() {
        LocalRevocations copy = node();
        store.revokeToken("t", END);
        long recorded = store.lastPosition();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        copy.revokeToken("t", END);
        assertThat(store.lastPosition()).isEqualTo(recorded + 1);
    }

    @Test
    void copyThatWasNeverRead_asksTheStore() {
        LocalRevocations copy = node();
        store.revokeToken("t", END);
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.status().age()).isEmpty();
        store.breakDown();
        assertOutage(copy, "u");
        assertThat(copy.status().isAnswering()).isFalse();
    }

    @Test
    void staleCopy_refusesWhatItKnows_andTheRestIsAnOutage() {
        LocalRevocations copy = read(node());
        copy.revokeToken("t", END);
        store.breakDown();
        pass(Duration.ofSeconds(3));
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertOutage(copy, "u");
    }

    @Test
    void storeThatHasJustFailed_isNotAskedByEachRequest() {
        LocalRevocations copy = read(node());
        store.breakDown();
        pass(Duration.ofSeconds(3));
        store.questions();
        for (int i = 0; i < 10; i++) {
            assertOutage(copy, "u");
        }
        assertThat(store.questions()).isEqualTo(1);
        store.repair();
        pass(Duration.ofMillis(500));
        assertThat(copy.isTokenRevoked("u")).isFalse();
    }

    @Test
    void staleCopy_answersForAsLongAsTheServiceSays_whereTheStoreDoesNot() {
        LocalRevocations copy =
                read(node(LocalRevocationSettings.defaults().withAcceptStaleFor(Duration.ofMinutes(5))));
        copy.revokeToken("t", END);
        store.breakDown();
        pass(Duration.ofMinutes(5));
        assertThat(copy.isTokenRevoked("u")).isFalse();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.status().isAnswering()).isTrue();
        nanos++;
        assertOutage(copy, "u");
        assertThat(copy.status().isAnswering()).isFalse();
    }

    /** For a moment after a failure, a check of a token does not ask the store again. */
    @Test
    void currentBound_isTheStoresOwn_howeverOldACopyTheServiceAccepts() {
        LocalRevocations copy =
                read(node(LocalRevocationSettings.defaults().withAcceptStaleFor(Duration.ofMinutes(5))));
        store.breakDown();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(copy::refresh);
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> copy.currentNotBefore("ada"));
        pass(Duration.ofSeconds(3));
        assertThat(copy.notBefore("ada")).isEqualTo(Instant.MIN);
        store.repair();
        store.revokeSubject("ada", START);
        assertThat(copy.currentNotBefore("ada")).isEqualTo(START.plusSeconds(1));
        assertThat(copy.notBefore("ada")).isEqualTo(START.plusSeconds(1));
    }

    /** A new token would survive a revocation that is not yet in the copy. Any request may have caused the failure. */
    @Test
    void loginThatIsProlonged_isNotAnsweredByTheCopy_afterAFailedCall() {
        LocalRevocations copy =
                read(node(LocalRevocationSettings.defaults().withAcceptStaleFor(Duration.ofMinutes(5))));
        store.breakDown();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> copy.currentNotBefore("grace"));
        store.repair();
        store.revokeSubject("ada", START);
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> copy.isSubjectRevoked("ada", START));
        pass(Duration.ofMillis(500));
        assertThat(copy.isSubjectRevoked("ada", START)).isTrue();
    }

    @Test
    void loginThatIsProlonged_isAskedOfTheStore_howeverFreshTheCopyIs() {
        LocalRevocations copy = read(node());
        store.revokeSubject("ada", START);
        assertThat(copy.isSubjectRevoked("ada", START)).isTrue();
        assertThat(copy.isSubjectRevoked("ada", START.plusSeconds(1))).isFalse();
        assertThat(copy.currentNotBefore("ada")).isEqualTo(START.plusSeconds(1));
        assertThat(copy.currentNotBefore("grace")).isEqualTo(Instant.MIN);
    }

    @Test
    void ownRevocation_isInTheCopyAtOnce() {
        LocalRevocations copy = read(node());
        copy.revokeToken("t", END);
        copy.revokeTokenOf("ada", "u", END);
        copy.revokeSubject("grace", START);
        store.questions();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.isTokenRevoked("u")).isTrue();
        assertThat(copy.notBefore("grace")).isEqualTo(START.plusSeconds(1));
        assertThat(store.questions()).isZero();
    }

    @Test
    void revocationThatBecomesVisibleAfterAHigherPosition_isRead() {
        LocalRevocations copy = read(node());
        store.holdBack();
        store.revokeToken("late", END);
        store.showOthers();
        store.revokeToken("early", END);
        copy.refresh();
        assertThat(copy.isTokenRevoked("early")).isTrue();
        for (int i = 0; i < 9; i++) {
            pass(Duration.ofSeconds(1));
            copy.refresh();
        }
        store.showHeldBack();
        pass(Duration.ofSeconds(1));
        copy.refresh();
        assertThat(copy.isTokenRevoked("late")).isTrue();
    }

    @Test
    void revocationThatBecomesVisibleLate_isReadByANodeThatSleptMeanwhile() {
        LocalRevocations copy = read(node());
        store.holdBack();
        store.revokeToken("late", END);
        store.showOthers();
        store.revokeToken("early", END);
        copy.refresh();
        store.showHeldBack();
        pass(Duration.ofMinutes(1));
        copy.refresh();
        assertThat(copy.isTokenRevoked("late")).isTrue();
    }

    @Test
    void revocationsOnTheirWayAtTheFirstReading_areReadAsWell() {
        store.holdBack();
        store.revokeToken("late", END);
        store.showOthers();
        store.revokeToken("early", END);
        LocalRevocations copy = read(node());
        store.showHeldBack();
        copy.refresh();
        assertThat(copy.isTokenRevoked("late")).isTrue();
    }

    @Test
    void quietStore_isNotReadFromTheBeginningEachTime() {
        for (int i = 0; i < 10; i++) {
            store.revokeToken("t" + i, END);
        }
        Counted counted = new Counted(store);
        LocalRevocations copy =
                LocalRevocations.of(counted, LocalRevocationSettings.defaults(), () -> now, () -> nanos);
        copy.refresh();
        pass(Duration.ofSeconds(11));
        copy.refresh();
        counted.rows = 0;
        copy.refresh();
        assertThat(counted.rows).as("the last entry and the mark").isLessThanOrEqualTo(2);
    }

    @Test
    void moreThanAPage_isReadAtOnce() {
        for (int i = 0; i < 12_001; i++) {
            store.revokeToken("t" + i, END);
        }
        LocalRevocations copy = read(node());
        assertThat(copy.status().size()).isEqualTo(12_001);
        assertThat(copy.isTokenRevoked("t12000")).isTrue();
    }

    /** As after emptied tables: until the floor rises, each reading finds all restored entries. */
    @Test
    void longReading_keepsOnlyItsLastEntries() {
        Counted counted = new Counted(store);
        LocalRevocations copy =
                read(LocalRevocations.of(counted, LocalRevocationSettings.defaults(), () -> now, () -> nanos));
        for (int i = 0; i < 12_001; i++) {
            store.revokeToken("t" + i, END);
        }
        copy.refresh();
        assertThat(counted.rows).isGreaterThan(12_001);
        Until.until(() -> {
            System.gc();
            return counted.first.refersTo(null);
        });
        assertThat(copy.status().size()).isEqualTo(12_001);
    }

    @Test
    void emptiedStore_isFilledFromTheCopies_ofEachNodeWhatItKnows() {
        LocalRevocations one = read(node());
        LocalRevocations other = read(node());
        one.revokeToken("t", END);
        one.revokeSubject("ada", START);
        other.revokeToken("u", END);
        store.loseAll();
        one.refresh();
        other.refresh();
        one.refresh();
        for (LocalRevocations each : List.of(one, other, read(node()))) {
            assertThat(each.isTokenRevoked("t")).isTrue();
            assertThat(each.isTokenRevoked("u")).isTrue();
            assertThat(each.notBefore("ada")).isEqualTo(START.plusSeconds(1));
        }
        int rows = store.rows();
        one.refresh();
        other.refresh();
        assertThat(store.rows()).as("nobody writes any more").isEqualTo(rows);
    }

    /** Other nodes have the old revocations. The newest may be known to the recording node alone. */
    @Test
    void emptiedStore_isFirstFilledWithTheLastRevocationsOfThisNode() {
        for (int i = 0; i < 2_000; i++) {
            store.revokeToken("old" + i, END);
        }
        FirstRestored noted = new FirstRestored(store);
        LocalRevocations copy =
                read(LocalRevocations.of(noted, LocalRevocationSettings.defaults(), () -> now, () -> nanos));
        copy.revokeToken("read", END);
        copy.refresh();
        copy.revokeToken("new", END);
        store.loseAll();
        copy.refresh();
        assertThat(noted.first).startsWith(IdDigest.ofToken("new"), IdDigest.ofToken("read"));
        assertThat(store.isTokenRevoked("old1999")).isTrue();
    }

    /** Otherwise each reading of all entries would make all nodes read all entries. */
    @Test
    void revocationDuringAReadingOfAll_isNoLoss() {
        Interrupted interrupted = new Interrupted(store);
        LocalRevocations copy =
                read(LocalRevocations.of(interrupted, LocalRevocationSettings.defaults(), () -> now, () -> nanos));
        copy.revokeToken("before", END);
        copy.refresh();
        pass(CopyReader.READ_ALL_INTERVAL);
        // After the latest entries, which come first, and after the only page.
        interrupted.meanwhile = () -> interrupted.meanwhile = () -> {
            interrupted.meanwhile = () -> {};
            copy.revokeToken("during", END);
        };
        int rows = store.rows();
        copy.refresh();
        assertThat(store.rows()).isEqualTo(rows + 1);
    }

    /** The stale copy keeps the store's answer longer than the store keeps the entry. */
    @Test
    void entryThatTheCopyKeepsLonger_isNoLoss() {
        LocalRevocations copy = read(node());
        store.revokeToken("t", START.plusSeconds(30));
        pass(CopyReader.READ_ALL_INTERVAL);
        assertThat(copy.isTokenRevoked("t")).isTrue();
        int rows = store.rows();
        copy.refresh();
        assertThat(store.rows()).isEqualTo(rows);
        copy.revokeToken("t", START.plusSeconds(91));
        store.goBackTo(rows);
        pass(CopyReader.READ_ALL_INTERVAL);
        copy.refresh();
        assertThat(store.rows())
                .as("an entry with a much later end is restored")
                .isGreaterThan(rows);
    }

    @Test
    void ownRevocationWithoutRoom_isNoLoss() {
        LocalRevocations copy = read(node(LocalRevocationSettings.defaults().withMaximumSize(2)));
        for (int i = 0; i < 4; i++) {
            copy.revokeToken("t" + i, END);
        }
        pass(CopyReader.READ_ALL_INTERVAL);
        int rows = store.rows();
        copy.refresh();
        assertThat(store.rows()).isEqualTo(rows);
    }

    /** The new node is the first to find the store empty, and sets the mark. */
    @Test
    void emptiedStore_isFilledByANodeWithAnOldCopy_whereANewNodeWasFirst() {
        LocalRevocations old = read(node());
        old.revokeToken("t", END);
        for (int i = 0; i < 3; i++) {
            pass(Duration.ofSeconds(11));
            old.refresh();
        }
        store.goBackTo(0);
        now = START.plusSeconds(33);
        LocalRevocations other = read(node());
        other.revokeToken("new", END);
        old.refresh();
        assertThat(old.isTokenRevoked("new")).isTrue();
        assertThat(store.isTokenRevoked("t")).isTrue();
        other.refresh();
        assertThat(other.isTokenRevoked("t")).isTrue();
    }

    @Test
    void storeThatComesBackOlder_isGivenWhatItLost_andReadFromItsNewPositions() {
        LocalRevocations one = read(node());
        one.revokeToken("kept", END);
        one.refresh();
        long backup = store.lastPosition();
        for (int i = 0; i < 20; i++) {
            one.revokeToken("lost" + i, END);
        }
        one.refresh();
        store.breakDown();
        pass(Duration.ofMinutes(1));
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(one::refresh);
        store.goBackTo(backup);
        store.repair();
        LocalRevocations other = read(node());
        other.revokeToken("new", END);
        one.refresh();
        other.refresh();
        assertThat(one.isTokenRevoked("new")).isTrue();
        assertThat(one.isTokenRevoked("lost19")).isTrue();
        assertThat(other.isTokenRevoked("lost19")).isTrue();
    }

    /** As after a failover to a server that the last entries had not reached for long. The lost entry may be over by then. */
    @ParameterizedTest
    @ValueSource(ints = {5, 1800})
    void storeThatGivesOldPositionsAgain_withoutAFailure_isReadAnew(int secondsOfTheLost) {
        LocalRevocations one = read(node());
        one.revokeToken("kept", END);
        long backup = store.lastPosition();
        one.revokeToken("lost", START.plusSeconds(secondsOfTheLost));
        for (int i = 0; i < 3; i++) {
            pass(Duration.ofSeconds(11));
            one.refresh();
        }
        now = START.plusSeconds(33);
        store.goBackTo(backup);
        store.revokeToken("new", END);
        one.refresh();
        assertThat(one.isTokenRevoked("new")).isTrue();
    }

    @Test
    void lossThatNothingTold_isFoundWithinTenMinutes() {
        LocalRevocations one = read(node());
        one.refresh();
        long backup = store.lastPosition();
        one.revokeToken("lost", END);
        store.goBackTo(backup);
        pass(CopyReader.READ_ALL_INTERVAL);
        one.refresh();
        assertThat(store.isTokenRevoked("lost")).isTrue();
    }

    @Test
    void revocationThatIsOver_isGivenBackToNobody_andForgottenAMinuteLater() {
        LocalRevocations copy = read(node());
        copy.revokeToken("t", START.plusSeconds(60));
        store.loseAll();
        now = START.plusSeconds(60);
        copy.refresh();
        assertThat(store.isTokenRevoked("t")).isFalse();
        assertThat(copy.status().size()).isEqualTo(1);
        now = START.plusSeconds(121);
        copy.refresh();
        assertThat(copy.status().size()).isZero();
    }

    @Test
    void copyWhoseClockWasAYearAhead_hasAgainWhatItTookForOver_onceItIsSetBack() {
        LocalRevocations copy = read(node());
        copy.revokeToken("t", END);
        copy.revokeToken("later", END);
        copy.refresh();
        now = START.plus(Duration.ofDays(365));
        pass(Duration.ofSeconds(11));
        copy.refresh();
        assertThat(copy.status().size()).isZero();
        now = START.plusSeconds(1);
        copy.refresh();
        assertThat(copy.isTokenRevoked("t")).isTrue();
    }

    @Test
    void revocationThatFailed_isNotKept_andOneThatWasAcknowledgedBefore_is() {
        LocalRevocations copy = read(node());
        copy.revokeToken("t", END);
        store.breakDown();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> copy.revokeToken("u", END));
        store.repair();
        copy.refresh();
        assertThat(copy.isTokenRevoked("t")).isTrue();
        assertThat(copy.isTokenRevoked("u")).isFalse();
    }

    @Test
    void copyWithoutRoom_asksTheStore_untilThereIsRoom() {
        LocalRevocations copy = read(node(LocalRevocationSettings.defaults().withMaximumSize(2)));
        copy.revokeToken("t1", START.plusSeconds(10));
        copy.revokeToken("t2", START.plusSeconds(10));
        assertThat(copy.status().isFresh()).isTrue();
        copy.revokeToken("t3", END);
        copy.refresh();
        store.questions();
        assertThat(copy.isTokenRevoked("t3")).isTrue();
        assertThat(copy.isTokenRevoked("u")).isFalse();
        assertThat(store.questions()).isEqualTo(2);
        assertThat(copy.status().isFresh()).isFalse();
        now = START.plusSeconds(600);
        copy.refresh();
        assertThat(copy.status().isFresh()).isTrue();
        assertThat(copy.isTokenRevoked("t3")).isTrue();
    }

    @Test
    void copyWithoutRoom_asksTheStore_alsoDuringAReadingOfAll() {
        Interrupted interrupted = new Interrupted(store);
        LocalRevocations copy = withoutRoom(interrupted, LocalRevocationSettings.defaults());
        failInAReadingOfAll(interrupted, copy);
        pass(Duration.ofMillis(500));
        interrupted.meanwhile = () -> assertThat(copy.isTokenRevoked("t3")).isTrue();
        copy.refresh();
        assertThat(copy.status().isFresh()).isFalse();
    }

    /** An array of all entries has 8 MB here. */
    @Test
    void readingOfAll_needsNoMemoryForEntriesWithoutRoom() {
        List<Recorded> entries = LongStream.rangeClosed(1, 100_000)
                .mapToObj(i -> new Recorded(i, new Revocation(new IdDigest(i, i), Instant.MIN, END)))
                .toList();
        SharedRevocationStore large = new Forwarding(store) {
            @Override
            public List<Recorded> recordedAfter(long position, int most) {
                int from = (int) Math.min(position, entries.size());
                return entries.subList(from, Math.min(from + most, entries.size()));
            }
        };
        LocalRevocations copy = LocalRevocations.of(
                large, LocalRevocationSettings.defaults().withMaximumSize(100), () -> now, () -> nanos);
        long first = bytesOf(copy::refresh);
        pass(CopyReader.READ_ALL_INTERVAL);
        assertThat(bytesOf(copy::refresh)).isLessThan(first + 1_000_000);
        assertThat(copy.status().size()).isEqualTo(100);
    }

    private static long bytesOf(Runnable action) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        action.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void copyWithoutRoom_isNotAcceptedAsStale_afterAReadingOfAllThatFailed() {
        Interrupted interrupted = new Interrupted(store);
        LocalRevocations copy =
                withoutRoom(interrupted, LocalRevocationSettings.defaults().withAcceptStaleFor(Duration.ofMinutes(5)));
        failInAReadingOfAll(interrupted, copy);
        store.breakDown();
        assertOutage(copy, "t3");
    }

    /** Another node has recorded three revocations, and the copy has room for two. */
    private LocalRevocations withoutRoom(Interrupted interrupted, LocalRevocationSettings settings) {
        for (String each : List.of("t1", "t2", "t3")) {
            store.revokeToken(each, END);
        }
        LocalRevocations copy = LocalRevocations.of(interrupted, settings.withMaximumSize(2), () -> now, () -> nanos);
        return read(copy);
    }

    /** The first failure makes the next reading read all entries. */
    private static void failInAReadingOfAll(Interrupted interrupted, LocalRevocations copy) {
        interrupted.meanwhile = () -> {
            throw AuthUnavailableException.outage("The store is switched off");
        };
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(copy::refresh);
        }
    }

    /** As with a client that goes away while the store is asked for its token. */
    @Test
    void interruptedCaller_isNoFailureOfTheStore() {
        LocalRevocations copy = LocalRevocations.of(
                new Forwarding(store) {
                    @Override
                    public boolean isTokenRevoked(String tokenId) {
                        if (Thread.currentThread().isInterrupted()) {
                            throw AuthUnavailableException.outage("The thread was interrupted");
                        }
                        return super.isTokenRevoked(tokenId);
                    }
                },
                LocalRevocationSettings.defaults(),
                () -> now,
                () -> nanos);
        Thread.currentThread().interrupt();
        assertOutage(copy, "t");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(copy.status().isFailing()).isFalse();
        assertThat(copy.isTokenRevoked("t")).isFalse();
    }

    /** As with a full queue. Readings of all entries would prolong the overload. */
    @Test
    void callThatWasNeverSent_isNoFailureOfTheStore() {
        for (int i = 0; i < 10; i++) {
            store.revokeToken("t" + i, END);
        }
        Counted full = new Counted(store) {
            @Override
            public boolean isTokenRevoked(String tokenId) {
                throw AuthUnavailableException.outage("200 calls wait", new RejectedExecutionException());
            }
        };
        LocalRevocations copy = LocalRevocations.of(full, LocalRevocationSettings.defaults(), () -> now, () -> nanos);
        copy.refresh();
        pass(Duration.ofSeconds(11));
        copy.refresh();
        pass(Duration.ofSeconds(11));
        assertOutage(copy, "u");
        assertThat(copy.status().isFailing()).isFalse();
        full.rows = 0;
        copy.refresh();
        assertThat(full.rows).as("no reading of all entries").isLessThanOrEqualTo(2);
    }

    /** The request has used up most of its time elsewhere. A store that is up may need more than the rest. */
    @Test
    void callerWithLittleTime_isNoFailureOfTheStore() {
        LocalRevocations copy = read(node());
        store.breakDown();
        Duration little = Duration.ofMillis(999);
        assertOutageWithin(little, () -> copy.isSubjectRevoked("ada", START));
        assertOutageWithin(StoreTime.OF_A_REQUEST, () -> copy.within(little).isSubjectRevoked("ada", START));
        assertThat(copy.status().isFailing()).isFalse();
        store.repair();
        assertThat(copy.isSubjectRevoked("grace", START)).isFalse();
        store.breakDown();
        assertOutageWithin(Duration.ofSeconds(1), () -> copy.isSubjectRevoked("ada", START));
        assertThat(copy.status().isFailing()).isTrue();
    }

    private void assertOutageWithin(Duration left, Supplier<Boolean> question) {
        CurrentLogin request = new StoreTime(left, () -> nanos).in(CurrentLogin.NONE);
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> request.supply(question));
    }

    @Test
    void settingsThatMakeNoSense_areRefused() {
        LocalRevocationSettings settings = LocalRevocationSettings.defaults();
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withStaleAfter(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withAcceptStaleFor(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withMaximumSize(0));
    }

    private LocalRevocations node() {
        return node(LocalRevocationSettings.defaults());
    }

    private LocalRevocations node(LocalRevocationSettings settings) {
        return LocalRevocations.of(store, settings, () -> now, () -> nanos);
    }

    private static LocalRevocations read(LocalRevocations node) {
        node.refresh();
        return node;
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static void assertOutage(LocalRevocations copy, String tokenId) {
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> copy.isTokenRevoked(tokenId));
    }

    /** Counts the rows that are read, and keeps none. */
    private static class Counted extends Forwarding {

        private int rows;

        /** The first row of the last reading. */
        private WeakReference<@Nullable Recorded> first = new WeakReference<>(null);

        Counted(SharedRevocationStore store) {
            super(store);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> page = super.recordedAfter(position, most);
            rows += page.size();
            if (position == 0) {
                first = new WeakReference<>(page.isEmpty() ? null : page.get(0));
            }
            return page;
        }
    }

    /** Keeps the ids of the first call that restores entries. */
    private static final class FirstRestored extends Forwarding {

        private List<IdDigest> first = List.of();

        FirstRestored(SharedRevocationStore store) {
            super(store);
        }

        @Override
        public void restore(List<Revocation> lost) {
            if (first.isEmpty()) {
                first = lost.stream().map(Revocation::id).toList();
            }
            super.restore(lost);
        }
    }

    /** Another node writes right after the reading. */
    private static final class Interrupted extends Forwarding {

        private Runnable meanwhile = () -> {};

        Interrupted(SharedRevocationStore store) {
            super(store);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> page = super.recordedAfter(position, most);
            meanwhile.run();
            return page;
        }
    }

    /** Time passes while it is read. */
    private final class Slow extends Forwarding {

        private final Duration time;

        Slow(SharedRevocationStore store, Duration time) {
            super(store);
            this.time = time;
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            pass(time);
            return super.recordedAfter(position, most);
        }
    }

    /** A full page and a call that restores entries take a quarter of a second each. */
    private final class LongCalls extends Forwarding {

        private Duration time = Duration.ofMillis(250);
        private Runnable meanwhile = () -> {};
        private int made;
        private long losses;

        LongCalls(SharedRevocationStore store) {
            super(store);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> page = super.recordedAfter(position, most);
            if (page.size() == most) {
                pass(time);
                meanwhile.run();
            }
            return page;
        }

        @Override
        public void restore(List<Revocation> lost) {
            super.restore(lost);
            pass(time);
            meanwhile.run();
        }

        @Override
        public long leaveTrace() {
            return losses;
        }
    }

    private abstract static class Forwarding implements SharedRevocationStore {

        private final SharedRevocationStore store;

        Forwarding(SharedRevocationStore store) {
            this.store = store;
        }

        @Override
        public Revocation recordToken(String tokenId, Instant expiresAt) {
            return store.recordToken(tokenId, expiresAt);
        }

        @Override
        public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            return store.recordTokenOf(subjectId, tokenId, expiresAt);
        }

        @Override
        public Revocation recordSubject(String subjectId, Instant notBefore) {
            return store.recordSubject(subjectId, notBefore);
        }

        @Override
        public List<Recorded> recordedAfter(long position, int most) {
            return store.recordedAfter(position, most);
        }

        @Override
        public void restore(List<Revocation> lost) {
            store.restore(lost);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return store.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return store.isTokenRevoked(tokenId);
        }
    }
}
