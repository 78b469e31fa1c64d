package dev.latchkey.auth.guard;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The maximum number of waiting threads, and the return of each place. */
@Timeout(120)
class WaitingPlacesTest {

    private final WaitingThreads one = WaitingThreads.atMost(1);
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    @Test
    void threadThatWaits_getsTheValue_andItsPlaceIsFreeAgain() {
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> one.await(answer));
        until(() -> one.waiting() >= 1);
        answer.complete("value");
        assertThat(waiting.join()).isEqualTo("value");
        assertThat(one.waiting()).isZero();
        assertThat(one.most()).isEqualTo(1);
    }

    @Test
    void valueThatIsThere_needsNoPlace() {
        assertThat(one.enter()).isTrue();
        assertThat(one.await(CompletableFuture.completedFuture("value"))).isEqualTo("value");
    }

    @Test
    void threadThatFindsNoPlace_isRefused_andItsAnswerCancelled() {
        assertThat(one.enter()).isTrue();
        assertThatThrownBy(() -> one.await(answer)).isInstanceOfSatisfying(AuthUnavailableException.class, refusal -> {
            assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD);
            assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
        });
        assertThat(answer).isCancelled();
        one.leave();
        assertThat(one.waiting()).isZero();
    }

    /** Otherwise the tokens of a login that is admitted at this moment would never come back. */
    @Test
    void valueThatComesInsteadOfTheCancellation_isGiven() {
        CompletableFuture<String> inTime = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                complete("value");
                return super.cancel(mayInterrupt);
            }
        };
        assertThat(one.enter()).isTrue();
        assertThat(one.await(inTime)).isEqualTo("value");
    }

    @Test
    void boundBelowOne_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> WaitingThreads.atMost(0));
    }
}
