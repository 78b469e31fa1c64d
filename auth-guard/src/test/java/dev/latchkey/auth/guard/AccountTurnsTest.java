package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class AccountTurnsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManualTime time = new ManualTime();
    private final List<GuardEvent> events = new ArrayList<>();
    private final LoginLimits limits = LoginLimits.local(
            LoginLimitSettings.defaults().withWaiting(new LoginLimitSettings.Waiting(PATIENCE, 2, 3)),
            time,
            events::add);
    private final AccountTurns turns = new AccountTurns(1, limits);

    private static LoginAttempt from(String account, int source) {
        return new LoginAttempt(account, ClientSource.of("192.0.2." + source).orElseThrow());
    }

    private CompletableFuture<BucketKey> enter(String account, int source) {
        return turns.enter(from(account, source), PATIENCE);
    }

    private void loggedIn(LoginAttempt attempt) {
        limits.reserve(attempt)
                .join()
                .fold(
                        admitted -> {
                            admitted.reservation().settle(AttemptResult.SUCCEEDED);
                            return true;
                        },
                        refused -> false);
    }

    private static boolean isThrottled(CompletableFuture<?> turn) {
        return turn.isCompletedExceptionally()
                && Stages.cause(turn.handle((value, failure) -> failure).join()) instanceof AuthUnavailableException e
                && e.kind() == AuthUnavailableException.Kind.THROTTLED;
    }

    @Test
    void knownSource_comesBeforeStrangersThatCameFirst() {
        loggedIn(from("ann", 9));
        BucketKey inPool = enter("ann", 1).join();
        CompletableFuture<BucketKey> stranger = enter("ann", 2);
        CompletableFuture<BucketKey> owner = enter("ann", 9);
        turns.leave(inPool);
        assertThat(owner).isCompleted();
        assertThat(stranger).isNotDone();
        turns.leave(inPool);
        assertThat(stranger).isCompleted();
    }

    @Test
    void fullLine_isRefusedAtOnceAndCounted() {
        enter("ann", 1);
        enter("ann", 2);
        enter("ann", 3);
        assertThat(isThrottled(enter("ann", 4))).isTrue();
        assertThat(limits.stats().refused()).containsEntry(LoginLimit.WAITING, 1L);
        assertThat(events).contains(new GuardEvent.LoginRefused(LoginLimit.WAITING, Duration.ZERO));
    }

    @Test
    void strangersWhoFillTheirLine_leaveRoomForAKnownSource() {
        loggedIn(from("ann", 9));
        enter("ann", 1);
        enter("ann", 2);
        enter("ann", 3);
        assertThat(enter("ann", 9)).isNotDone();
    }

    @Test
    void allLinesTogether_areBounded() {
        enter("ann", 1);
        enter("bob", 1);
        enter("ann", 2);
        enter("ann", 3);
        enter("bob", 2);
        assertThat(isThrottled(enter("bob", 3))).isTrue();
    }

    @Test
    void waitThatIsOver_isRefusedAndCountedAndTheNextHasItsTurn() {
        BucketKey inPool = enter("ann", 1).join();
        CompletableFuture<BucketKey> tired = turns.enter(from("ann", 2), Duration.ofSeconds(1));
        CompletableFuture<BucketKey> patient = enter("ann", 3);
        time.advance(Duration.ofSeconds(1));
        assertThat(isThrottled(tired)).isTrue();
        assertThat(events).contains(new GuardEvent.LoginRefused(LoginLimit.WAITING, Duration.ofSeconds(1)));
        turns.leave(inPool);
        assertThat(patient).isCompleted();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void cancelledWait_givesItsPlaceUp() {
        BucketKey inPool = enter("ann", 1).join();
        enter("ann", 2).cancel(false);
        CompletableFuture<BucketKey> next = enter("ann", 3);
        turns.leave(inPool);
        assertThat(next).isCompleted();
    }

    /** It was chosen, and went away before it was told: the turn goes on to the next one. */
    @Test
    void turnOfOneThatGoesAwayAsItIsChosen_isPassedOn() {
        BucketKey inPool = enter("ann", 1).join();
        CompletableFuture<BucketKey> first = enter("ann", 2);
        CompletableFuture<BucketKey> second = enter("ann", 3);
        first.whenComplete((account, failure) -> {
            // Chooses the second, whose turn begins only after this one; by then it is gone.
            turns.leave(inPool);
            second.cancel(false);
        });
        turns.leave(inPool);
        assertThat(first).isCompleted();
        assertThat(second).isCancelled();
        // The turn came back: somebody new has it at once.
        assertThat(enter("ann", 4)).isCompleted();
    }

    @Test
    void otherAccounts_doNotWait() {
        enter("ann", 1);
        assertThat(enter("bob", 1)).isCompleted();
    }

    @Test
    void g5_accountOfWhichNothingIsGoingOn_isForgotten() {
        for (int i = 0; i < 100; i++) {
            turns.leave(enter("name" + i, 1).join());
        }
        assertThat(turns.accounts()).isZero();
        BucketKey inPool = enter("ann", 1).join();
        CompletableFuture<BucketKey> next = enter("ann", 2);
        turns.leave(inPool);
        assertThat(turns.accounts()).isEqualTo(1);
        turns.leave(next.join());
        assertThat(turns.accounts()).isZero();
    }
}
