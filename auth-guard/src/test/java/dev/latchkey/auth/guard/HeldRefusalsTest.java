package dev.latchkey.auth.guard;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldRefusalsTest {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST = DELAY.multipliedBy(3).dividedBy(2);
    private static final Duration HALF = Duration.ofMillis(499);

    private final ManualTime time = new ManualTime();
    private final HeldRefusals refusals = new HeldRefusals(DELAY, 3, time);
    private final AtomicInteger sent = new AtomicInteger();

    private boolean hold() {
        return refusals.hold(sent::incrementAndGet);
    }

    @Test
    void refusal_isSentOnce_betweenHalfAndOneAndAHalfOfTheDelay() {
        assertThat(hold()).isTrue();
        time.advance(HALF);
        assertThat(sent).hasValue(0);
        assertThat(refusals.held()).isEqualTo(1);
        time.advance(LONGEST.minus(HALF));
        assertThat(sent).hasValue(1);
        assertThat(refusals.held()).isZero();
        time.advance(LONGEST);
        refusals.close();
        assertThat(sent).hasValue(1);
    }

    @Test
    void refusalsOfOneInstant_areSentAtManyMoments() {
        HeldRefusals many = new HeldRefusals(DELAY, 1_000, time);
        for (int i = 0; i < 1_000; i++) {
            many.hold(sent::incrementAndGet);
        }
        time.advance(HALF);
        for (int tenth = 1; tenth <= 10; tenth++) {
            int before = sent.get();
            time.advance(Duration.ofMillis(101));
            assertThat(sent.get() - before).as("sent in tenth %d", tenth).isBetween(20, 300);
        }
        assertThat(sent).hasValue(1_000);
    }

    @Test
    void refusalsOfOneMoment_shareAWakeUpOfTheTimer() {
        HeldRefusals many = new HeldRefusals(DELAY, 1_000, time);
        for (int i = 0; i < 1_000; i++) {
            many.hold(sent::incrementAndGet);
        }
        assertThat(time.wakeUps()).isBetween(2, 17);
        many.close();
        assertThat(sent).hasValue(1_000);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void refusalsAboveTheBound_areNotHeld_andAPlaceIsFreeAgainLater() {
        for (int i = 0; i < 3; i++) {
            assertThat(hold()).isTrue();
        }
        assertThat(hold()).isFalse();
        assertThat(refusals.held()).isEqualTo(3);
        time.advance(LONGEST);
        assertThat(sent).as("not the one that was not held").hasValue(3);
        for (int i = 0; i < 3; i++) {
            assertThat(hold()).isTrue();
        }
        assertThat(hold()).isFalse();
    }

    @Test
    void refusalThatCannotBeSent_freesItsPlace_andOthersAreSentAllTheSame() {
        assertThat(refusals.hold(() -> {
                    throw new IllegalStateException("The client has gone");
                }))
                .isTrue();
        hold();
        hold();
        try (LogLines log = LogLines.of(HeldRefusals.class)) {
            refusals.close();
            assertThat(log.all()).containsExactly("WARNING: A refusal could not be sent");
        }
        assertThat(sent).hasValue(2);
        assertThat(refusals.held()).isZero();
    }

    @Test
    void close_sendsAllThatAreHeld_andHoldsNoMore() {
        hold();
        hold();
        refusals.close();
        assertThat(sent).hasValue(2);
        assertThat(hold()).isFalse();
        assertThat(refusals.held()).isZero();
        assertThat(time.wakeUps()).isZero();
        refusals.close();
        assertThat(sent).hasValue(2);
    }

    @Test
    void closeThatFindsARefusalWhichIsJustBeingHeld_sendsIt_andItsCallerDoesNot() {
        AtomicReference<HeldRefusals> closing = new AtomicReference<>();
        GuardTime inBetween = new GuardTime() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public WakeUp after(Duration delay, Runnable action) {
                closing.get().close();
                return () -> {};
            }

            @Override
            public void close() {}
        };
        closing.set(new HeldRefusals(DELAY, 3, inBetween));
        assertThat(closing.get().hold(sent::incrementAndGet)).isTrue();
        assertThat(sent).hasValue(1);
        assertThat(closing.get().held()).isZero();
    }

    @Test
    void noDelayAndNoPlaces_holdNone() {
        assertThat(new HeldRefusals(Duration.ZERO, 3, time).hold(sent::incrementAndGet))
                .isFalse();
        assertThat(new HeldRefusals(DELAY, 0, time).hold(sent::incrementAndGet)).isFalse();
        assertThat(time.wakeUps()).isZero();
    }

    /**
     * If a caller is not told that a refusal is held, the caller sends the refusal. So each refusal is sent once, at
     * any time of the close.
     */
    @Test
    void refusalsOfManyThreads_areEachSentOnce_whileTheTimerRunsAndAllIsClosed() throws Exception {
        int threads = 8;
        int each = 2_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (GuardTime real = GuardTime.start()) {
            HeldRefusals few = new HeldRefusals(Duration.ofNanos(50_000), 20, real);
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                boolean closes = i == 0;
                running.add(executor.submit(() -> {
                    for (int n = 0; n < each; n++) {
                        if (closes && n == each / 2) {
                            few.close();
                        }
                        if (!few.hold(sent::incrementAndGet)) {
                            sent.incrementAndGet();
                        }
                    }
                    return each;
                }));
            }
            for (Future<Integer> one : running) {
                one.get(30, TimeUnit.SECONDS);
            }
            executor.shutdown();
            few.close();
            until(() -> sent.get() >= threads * each);
            assertThat(few.held()).isZero();
        }
        assertThat(sent).hasValue(threads * each);
    }

    @Test
    void negativeNumbers_areNoSettings() {
        assertThatIllegalArgumentException().isThrownBy(() -> new HeldRefusals(DELAY.negated(), 3, time));
        assertThatIllegalArgumentException().isThrownBy(() -> new HeldRefusals(DELAY, -1, time));
    }
}
