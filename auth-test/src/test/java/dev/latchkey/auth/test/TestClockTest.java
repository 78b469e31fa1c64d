package dev.latchkey.auth.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.guard.GuardTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestClockTest {

    private final TestClock clock = TestClock.ofThePresent();

    @Test
    void clockThatIsNotMoved_standsStillAtAWholeSecond() {
        Instant first = clock.instant();
        assertThat(first).isEqualTo(first.truncatedTo(ChronoUnit.SECONDS));
        assertThat(clock.instant()).isEqualTo(first);
    }

    @Test
    void advance_addsUp_andIsToldToWhoLivesByIt() {
        List<Duration> passed = new ArrayList<>();
        clock.onAdvance(passed::add);
        Instant first = clock.instant();
        clock.advance(Duration.ofMinutes(2));
        clock.advance(Duration.ZERO);
        assertThat(clock.instant()).isEqualTo(first.plusSeconds(120));
        assertThat(passed).containsExactly(Duration.ofMinutes(2), Duration.ZERO);
    }

    @Test
    void advanceBackwards_isRefused() {
        Instant first = clock.instant();
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofNanos(-1)));
        assertThat(clock.instant()).isEqualTo(first);
    }

    @Test
    void moveTo_tellsWhatPasses_andNothingOnTheWayBack() {
        List<Duration> passed = new ArrayList<>();
        clock.onAdvance(passed::add);
        Instant first = clock.instant();
        clock.moveTo(first.minusSeconds(60));
        assertThat(clock.instant()).isEqualTo(first.minusSeconds(60));
        assertThat(passed).isEmpty();
        clock.moveTo(first);
        assertThat(passed).containsExactly(Duration.ofSeconds(60));
    }

    @Test
    void guardTime_standsStillUntilTheClockIsMoved() {
        try (TestGuardTime time = TestGuardTime.of(clock)) {
            long before = time.nanoTime();
            assertThat(time.nanoTime()).isEqualTo(before);
            clock.advance(Duration.ofDays(1));
            assertThat(time.nanoTime() - before).isEqualTo(Duration.ofDays(1).toNanos());
        }
    }

    @Test
    void threadThatWaits_wakesUpByTheMachine_atTheTimeThatWasWaitedFor() throws Exception {
        try (TestGuardTime time = TestGuardTime.of(clock)) {
            long before = time.nanoTime();
            CountDownLatch woken = new CountDownLatch(1);
            time.after(Duration.ofMillis(1), woken::countDown);
            assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(time.nanoTime() - before).isEqualTo(Duration.ofMillis(1).toNanos());
        }
    }

    @Test
    void wakeUpOfTheTimeThatIsSkipped_comesAtOnce_andOnce() throws Exception {
        try (TestGuardTime time = TestGuardTime.of(clock)) {
            CountDownLatch woken = new CountDownLatch(1);
            AtomicInteger runs = new AtomicInteger();
            time.after(Duration.ofHours(1), () -> {
                runs.incrementAndGet();
                woken.countDown();
            });
            CountDownLatch later = new CountDownLatch(1);
            time.after(Duration.ofHours(3), later::countDown);
            clock.advance(Duration.ofHours(1));
            clock.advance(Duration.ofHours(1));
            assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
            drain(time);
            assertThat(runs).hasValue(1);
            assertThat(later.getCount()).isEqualTo(1);
        }
    }

    @Test
    void wakeUpThatWasCalledOff_neverComes() throws Exception {
        try (TestGuardTime time = TestGuardTime.of(clock)) {
            AtomicInteger runs = new AtomicInteger();
            time.after(Duration.ofHours(1), runs::incrementAndGet).cancel();
            clock.advance(Duration.ofHours(2));
            drain(time);
            assertThat(runs).hasValue(0);
        }
    }

    @Test
    void wakeUpThatWasCalledOff_isCalledOffOnTheMachineToo_andHoldsNothing() {
        ByHand machine = new ByHand();
        try (TestGuardTime time = TestGuardTime.of(clock, machine)) {
            AtomicInteger runs = new AtomicInteger();
            time.after(Duration.ofHours(1), runs::incrementAndGet).cancel();
            assertThat(machine.left).isEmpty();
            clock.advance(Duration.ofHours(2));
            assertThat(machine.left).isEmpty();
        }
    }

    @Test
    void wakeUpThatIsCalledOffWhileItIsOnItsWay_neverComes() {
        ByHand machine = new ByHand();
        try (TestGuardTime time = TestGuardTime.of(clock, machine)) {
            AtomicInteger runs = new AtomicInteger();
            GuardTime.WakeUp wakeUp = time.after(Duration.ofHours(1), runs::incrementAndGet);
            clock.advance(Duration.ofHours(1));
            wakeUp.cancel();
            machine.runAll();
            assertThat(runs).hasValue(0);
        }
    }

    /** A machine with wake-ups at the test's command. */
    private static final class ByHand implements GuardTime {

        private record Asked(Duration delay, Runnable action) {}

        private final List<Asked> left = new ArrayList<>();

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            Asked asked = new Asked(delay, action);
            left.add(asked);
            return () -> left.remove(asked);
        }

        void runAll() {
            List<Asked> all = List.copyOf(left);
            left.clear();
            all.forEach(asked -> asked.action().run());
        }

        @Override
        public void close() {
            left.clear();
        }
    }

    /** Until all due work has run; one thread runs the work in turn. */
    private static void drain(TestGuardTime time) throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        time.ofTheMachine().after(Duration.ofMillis(1), reached::countDown);
        assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
