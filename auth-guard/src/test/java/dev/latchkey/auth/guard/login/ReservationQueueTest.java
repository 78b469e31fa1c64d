package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.login.ReservationQueue.Next;
import org.junit.jupiter.api.Test;

/** Logins are letters here, and buckets names. */
class ReservationQueueTest {

    private static final String BUCKET = "bucket";

    private final ReservationQueue<String, String> queue = new ReservationQueue<>(2, 3);

    private Next arrive(String login) {
        return queue.arrive(BUCKET, login);
    }

    private Next foundEmpty(String login) {
        return queue.foundEmpty(BUCKET, login, queue.returned(BUCKET));
    }

    @Test
    void loginWithoutAToken_waitsForAnOpenLogin_andGivesUpWithoutOne() {
        arrive("a");
        arrive("b");
        assertThat(foundEmpty("b")).isEqualTo(Next.WAIT);
        assertThat(queue.openAt(BUCKET)).isEqualTo(1);
        assertThat(foundEmpty("a")).isEqualTo(Next.GIVE_UP);
        assertThat(queue.openAt(BUCKET)).isEqualTo(1);
    }

    @Test
    void lastClosingReservation_endsAllWaiters_inOrder() {
        arrive("a");
        arrive("b");
        arrive("c");
        foundEmpty("b");
        foundEmpty("c");
        assertThat(queue.waiting()).isEqualTo(2);
        assertThat(queue.close(BUCKET)).containsExactly("b", "c");
        assertThat(queue.waiting()).isZero();
        assertThat(queue.keys()).isZero();
        assertThat(queue.openAt(BUCKET)).isZero();
    }

    @Test
    void returnedToken_letsTheFirstWaiterTryAgain_andASpentTokenDoesNot() {
        arrive("a");
        arrive("b");
        arrive("c");
        arrive("d");
        foundEmpty("d");
        assertThat(arrive("e")).isEqualTo(Next.WAIT);
        assertThat(queue.close(BUCKET)).isEmpty();
        assertThat(queue.closeAfterReturn(BUCKET)).containsExactly("d");
        assertThat(queue.waiting()).isEqualTo(1);
        assertThat(queue.closeAfterReturn(BUCKET)).containsExactly("e");
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void bucketThatWasFoundEmptyBeforeATokenCameBack_isAskedOnceMore() {
        arrive("a");
        arrive("b");
        long before = queue.returned(BUCKET);
        queue.closeAfterReturn(BUCKET);
        assertThat(queue.foundEmpty(BUCKET, "b", before)).isEqualTo(Next.ASK);
        assertThat(foundEmpty("b")).isEqualTo(Next.GIVE_UP);
    }

    @Test
    void callerThatComesWhileOthersWait_waitsBehindThem_withoutAskingTheBucket() {
        arrive("a");
        arrive("b");
        foundEmpty("b");
        assertThat(arrive("c")).isEqualTo(Next.WAIT);
        assertThat(queue.openAt(BUCKET)).isEqualTo(1);
    }

    @Test
    void unusedTurn_goesToTheNextLogin_andIsDroppedIfNoneWaits() {
        arrive("a");
        arrive("b");
        foundEmpty("b");
        arrive("c");
        assertThat(queue.passOn(BUCKET)).containsExactly("b");
        assertThat(queue.passOn(BUCKET)).containsExactly("c");
        assertThat(queue.passOn(BUCKET)).isEmpty();
        assertThat(queue.passOn("another")).isEmpty();
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void loginThatGoesAway_leavesItsPlaceToAnother() {
        arrive("a");
        arrive("b");
        foundEmpty("b");
        arrive("c");
        assertThat(arrive("d")).isEqualTo(Next.FULL);
        queue.remove(BUCKET, "b");
        queue.remove(BUCKET, "b");
        queue.remove(BUCKET, "never came");
        queue.remove("another", "c");
        assertThat(queue.waiting()).isEqualTo(1);
        assertThat(arrive("d")).isEqualTo(Next.WAIT);
        assertThat(queue.close(BUCKET)).containsExactly("c", "d");
    }

    @Test
    void boundOfAll_holdsForOtherBucketsToo_andClosesLoginsWithoutAPlace() {
        arrive("a");
        arrive("b");
        foundEmpty("b");
        arrive("c");
        queue.arrive("another", "d");
        queue.arrive("another", "e");
        queue.arrive("another", "f");
        assertThat(queue.foundEmpty("another", "e", 0)).isEqualTo(Next.WAIT);
        assertThat(queue.foundEmpty("another", "f", 0)).isEqualTo(Next.FULL);
        assertThat(queue.openAt("another")).isEqualTo(1);
        assertThat(queue.waiting()).isEqualTo(3);
        assertThat(queue.keys()).isEqualTo(2);
    }

    @Test
    void heldToken_mayComeBack_andAQuestionMayNot() {
        assertThat(queue.hasHeld(BUCKET)).isFalse();
        arrive("a");
        arrive("b");
        arrive("c");
        assertThat(queue.hasHeld(BUCKET)).isFalse();
        queue.hold(BUCKET);
        queue.hold(BUCKET);
        queue.closeAfterSpending(BUCKET);
        assertThat(queue.hasHeld(BUCKET)).isTrue();
        queue.closeAfterReturn(BUCKET);
        assertThat(queue.hasHeld(BUCKET)).isFalse();
    }

    @Test
    void bucketWithoutAReservation_isAMistakeOfTheCaller() {
        assertThatThrownBy(() -> queue.close(BUCKET)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queue.returned(BUCKET)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void turn_opensAReservationAheadOfThoseThatWait() {
        arrive("a");
        arrive("b");
        foundEmpty("b");
        queue.open(BUCKET);
        assertThat(queue.openAt(BUCKET)).isEqualTo(2);
        assertThat(queue.close(BUCKET)).isEmpty();
        assertThat(queue.close(BUCKET)).containsExactly("b");
        queue.open(BUCKET);
        assertThat(queue.openAt(BUCKET)).isEqualTo(1);
    }
}
