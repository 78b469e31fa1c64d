package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may hold an answer and not care for it
class HeldRefusalsTest {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration HALF = Duration.ofMillis(499);
    private final AuthUnavailableException overload = AuthUnavailableException.overload("Full", DELAY);
    private final AuthUnavailableException throttled = AuthUnavailableException.throttled("Limit", DELAY);

    private final ManualTime time = new ManualTime();
    private final HeldRefusals refusals = new HeldRefusals(DELAY, 3, time);
    private final AtomicInteger begun = new AtomicInteger();

    private CompletableFuture<String> hold(CompletableFuture<String> answer) {
        return refusals.hold(answer, begun::incrementAndGet);
    }

    private CompletableFuture<String> refused(AuthUnavailableException refusal) {
        return hold(CompletableFuture.failedFuture(refusal));
    }

    @Test
    void refusal_isToldBetweenHalfAndOneAndAHalfOfTheDelay() {
        for (AuthUnavailableException refusal : List.of(overload, throttled)) {
            CompletableFuture<String> answer = refused(refusal);
            time.advance(HALF);
            assertThat(answer).isNotDone();
            time.advance(refusals.longest().minus(HALF));
            assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withCause(refusal);
        }
        assertThat(begun).hasValue(2);
        assertThat(refusals.held()).isZero();
    }

    @Test
    void refusalsOfOneInstant_areToldAtManyMoments() {
        HeldRefusals many = new HeldRefusals(DELAY, 1_000, time);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answers.add(many.hold(CompletableFuture.failedFuture(overload), () -> {}));
        }
        time.advance(HALF);
        for (int tenth = 1; tenth <= 10; tenth++) {
            long before = answers.stream().filter(CompletableFuture::isDone).count();
            time.advance(Duration.ofMillis(101));
            assertThat(answers.stream().filter(CompletableFuture::isDone).count() - before)
                    .as("told in tenth %d", tenth)
                    .isBetween(20L, 300L);
        }
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void everythingElse_isToldAtOnce() {
        assertThat(hold(CompletableFuture.completedFuture("yes"))).isCompletedWithValue("yes");
        assertThat(refused(AuthUnavailableException.outage("Down"))).isCompletedExceptionally();
        assertThat(hold(CompletableFuture.failedFuture(new IllegalStateException("A bug"))))
                .isCompletedExceptionally();
        assertThat(begun).hasValue(0);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void refusalsAboveTheBound_areToldAtOnce_andAPlaceIsFreeAgainLater() {
        for (int i = 0; i < 3; i++) {
            assertThat(refused(overload)).isNotDone();
        }
        assertThat(refused(overload)).isCompletedExceptionally();
        assertThat(refusals.held()).isEqualTo(3);
        time.advance(refusals.longest());
        assertThat(refused(overload)).isNotDone();
    }

    @Test
    void callerThatGoes_freesItsPlaceAndItsWakeUp() {
        CompletableFuture<String> answer = refused(overload);
        answer.cancel(false);
        assertThat(refusals.held()).isZero();
        assertThat(time.wakeUps()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(refused(overload)).isNotDone();
        }
    }

    @Test
    void callerThatGoesWhileTheAnswerIsOpen_cancelsIt() {
        CompletableFuture<String> open = new CompletableFuture<>();
        hold(open).cancel(false);
        assertThat(open).isCancelled();
        assertThat(refusals.held()).isZero();
    }

    @Test
    void close_tellsAllThatAreHeld_andHoldsNoMore() {
        CompletableFuture<String> before = refused(overload);
        refusals.close();
        assertThat(before).isCompletedExceptionally();
        assertThat(refused(overload)).isCompletedExceptionally();
        assertThat(refusals.held()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void noDelayAndNoPlaces_tellAtOnce() {
        CompletableFuture<String> answer = CompletableFuture.failedFuture(overload);
        assertThat(new HeldRefusals(Duration.ZERO, 3, time).hold(answer, () -> {}))
                .isSameAs(answer);
        assertThat(new HeldRefusals(DELAY, 0, time).hold(answer, () -> {})).isSameAs(answer);
    }

    @Test
    void negativeNumbers_areNoSettings() {
        assertThatIllegalArgumentException().isThrownBy(() -> new HeldRefusals(DELAY.negated(), 3, time));
        assertThatIllegalArgumentException().isThrownBy(() -> new HeldRefusals(DELAY, -1, time));
    }
}
