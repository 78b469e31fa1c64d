package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.RequestThreads;
import dev.latchkey.auth.guard.WaitingThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevokedSecondTest {

    private static final Instant BOUND = Instant.parse("2026-11-23T12:00:01Z");
    private final AtomicReference<Instant> now = new AtomicReference<>(BOUND);
    private final List<Duration> pauses = new ArrayList<>();
    private final RevokedSecond stopped = new RevokedSecond(now::get, pauses::add);

    @Test
    void secondThatIsOver_needsNoWait() {
        assertThat(stopped.end(BOUND)).contains(BOUND);
        now.set(BOUND.plusNanos(1));
        assertThat(stopped.end(BOUND)).contains(BOUND.plusNanos(1));
        assertThat(pauses).isEmpty();
    }

    @Test
    void boundThatIsASecondAway_isWaitedFor_andOneThatIsFurtherIsNot() {
        now.set(BOUND.minusSeconds(1));
        assertThat(stopped.end(BOUND)).isPresent();
        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
        now.set(BOUND.minusSeconds(1).minusNanos(1));
        assertThat(stopped.end(BOUND)).isEmpty();
        assertThat(stopped.end(Instant.MAX)).isEmpty();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void lastNanosecond_isWaitedFor() {
        now.set(BOUND.minusNanos(1));
        assertThat(stopped.end(BOUND)).contains(BOUND);
        assertThat(pauses).containsExactly(Duration.ofNanos(1));
    }

    @Test
    void interruptedThread_getsAnOutage_andStaysInterrupted() {
        now.set(BOUND.minusSeconds(1));
        WaitingThreads places = WaitingThreads.atMost(1);
        RevokedSecond second = RevokedSecond.of(places, now::get);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> second.end(BOUND));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(places.waiting()).isZero();
    }

    @Test
    void timeAfterTheWait_isThatOfTheClock_andNoEarlierThanTheBound() {
        now.set(BOUND.minusMillis(5));
        assertThat(stopped.end(BOUND)).as("a clock that stands still").contains(BOUND);
        RevokedSecond late = new RevokedSecond(now::get, pause -> now.set(BOUND.plusMillis(3)));
        assertThat(late.end(BOUND)).contains(BOUND.plusMillis(3));
    }

    @Test
    void wait_isAsLongAsItHasToBe_andGivesItsPlaceBack() {
        now.set(BOUND.minusMillis(20));
        WaitingThreads places = WaitingThreads.atMost(1);
        long begun = System.nanoTime();
        assertThat(RevokedSecond.of(places, now::get).end(BOUND)).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        assertThat(places.waiting()).isZero();
    }

    @Test
    void loginBeyondTheWaitingOnes_isToldToComeBackInASecond() {
        now.set(BOUND.minusSeconds(1));
        WaitingThreads places = WaitingThreads.atMost(1);
        RevokedSecond second = RevokedSecond.of(places, now::get);
        assertThat(places.enter()).isTrue();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> second.end(BOUND))
                .satisfies(refusal -> {
                    assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD);
                    assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
                });
    }

    @ParameterizedTest
    @CsvSource({"4000, 16", "128, 16", "127, 15", "64, 8", "16, 2", "15, 1", "7, 1", "1, 1"})
    void anEighthOfTheThreads_mayWait_andSixteenAtMost(int threads, int most) {
        assertThat(RevokedSecond.waitingThreadsAmong(new RequestThreads(threads))
                        .most())
                .isEqualTo(most);
    }
}
