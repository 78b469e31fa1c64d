package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The waiting callers at a throttle's bucket, and the traces of callers that leave. */
@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class ThrottleQueueTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final ClientSource ELSEWHERE = ClientSource.of("192.0.2.2").orElseThrow();
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();

    private static ThrottleSettings settings() {
        return ThrottleSettings.named("downloads");
    }

    private static boolean passed(CompletableFuture<ThrottleResult> result) {
        return result.isDone() && !result.isCancelled() && result.join() instanceof ThrottleResult.Passed;
    }

    private static QueuedBucket.Ticket ticket(String client) {
        return new QueuedBucket.Ticket(client, ThrottleScope.GLOBAL, Shortage.WAITS, 1);
    }

    @Test
    void tokensOfALeavingWaiter_goToTheNextAtOnce() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(10, SECOND, 10))
                        .withWaiting(LONG),
                time);
        CompletableFuture<ThrottleResult> large = throttle.client(HOME).acquire(1_000);
        CompletableFuture<ThrottleResult> small = throttle.client(ELSEWHERE).acquire(5);
        assertThat(small).isNotDone();
        large.cancel(false);
        assertThat(passed(small)).isTrue();
    }

    @Test
    void costThatIsNoMultipleOfTheBurst_isCollectedAsWell() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 10))
                        .withWaiting(LONG),
                time);
        CompletableFuture<ThrottleResult> large = throttle.client(HOME).acquire(15);
        time.advance(SECOND.dividedBy(2));
        assertThat(large.join()).isEqualTo(new ThrottleResult.Passed(SECOND.dividedBy(2), ThrottleScope.SOURCE, 0));
    }

    /** A bucket with a tenth of a millisecond of content wakes up half full, and not a millisecond later. */
    @Test
    void smallBucketOfAHighRate_losesNoTokensBetweenWakeUps() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(1_000_000, SECOND, 100))
                        .withWaiting(LONG),
                time);
        CompletableFuture<ThrottleResult> large = throttle.client(HOME).acquire(100_100);
        time.advance(Duration.ofMillis(101));
        assertThat(passed(large)).isTrue();
    }

    @Test
    void requestWithoutWait_isRefusedWhereOthersWait_andTakesATokenThatIsThere() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(1, SECOND, 1))
                        .withWaiting(LONG),
                time);
        assertThat(passed(throttle.client(HOME).acquireWithoutWait(1))).isTrue();
        CompletableFuture<ThrottleResult> patient = throttle.client(HOME).acquire(1);
        time.advance(SECOND.dividedBy(2));
        ThrottleResult.Refused refused = new ThrottleResult.Refused(ThrottleScope.GLOBAL, SECOND.dividedBy(2));
        assertThat(throttle.client(HOME).acquireWithoutWait(1)).isCompletedWithValue(refused);
        assertThat(throttle.client(ELSEWHERE).acquireWithoutWait(1)).isCompletedWithValue(refused);
        assertThat(throttle.snapshot().refused()).isEqualTo(2);
        time.advance(SECOND);
        assertThat(passed(patient)).isTrue();
        time.advance(SECOND);
        assertThat(passed(throttle.client(ELSEWHERE).acquireWithoutWait(9)))
                .as("a full bucket, for a cost above the size")
                .isTrue();
    }

    @Test
    void refusalByTheLastScope_givesBackWhatAllOthersGave() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.PRINCIPAL, new BucketRate(1, LONG, 1))
                        .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1)),
                time);
        assertThat(passed(throttle.client(ELSEWHERE).acquire(1))).isTrue();
        ThrottleClient ann = throttle.client(HOME, "ann");
        assertThat(passed(ann.acquire(1))).isFalse();
        throttle.removeRate(ThrottleScope.GLOBAL);
        assertThat(passed(ann.acquire(1))).isTrue();
    }

    @Test
    void refusalByTheLastThrottle_givesBackWhatTheOthersGave() {
        Throttle quota = Throttle.of(settings().withRate(ThrottleScope.PRINCIPAL, new BucketRate(1, LONG, 1)), time);
        Throttle all = Throttle.of(settings().withRate(ThrottleScope.GLOBAL, new BucketRate(1, SECOND, 1)), time);
        assertThat(passed(all.client(HOME, "bob").acquire(1))).isTrue();
        List<ThrottleClient> ann = List.of(quota.client(HOME, "ann"), all.client(HOME, "ann"));
        assertThat(passed(Acquisition.begin(ann, 1).result())).isFalse();
        time.advance(SECOND);
        assertThat(passed(Acquisition.begin(ann, 1).result())).isTrue();
    }

    @Test
    void ticketThatFoundNoRoom_takesNone() {
        QueuedBucket bucket = QueuedBucket.own(new BucketRate(1, SECOND, 1), time);
        bucket.enter(ticket("first"), 1);
        QueuedBucket.Ticket waits = ticket("waits");
        bucket.enter(waits, 1);
        bucket.enter(ticket("found no room"), 1);
        time.advance(SECOND);
        assertThat(passed(waits.result())).isTrue();
        QueuedBucket.Ticket next = ticket("next");
        bucket.enter(next, 1);
        assertThat(next.result()).isNotDone();
        time.advance(SECOND);
        assertThat(passed(next.result())).isTrue();
    }

    /** Each completion takes a millisecond, so the next token is there. As in a chain of downloads on a busy machine. */
    @Test
    void completionsThatAcquireAgain_doNotRunWithinEachOther() {
        int many = 10_000;
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(1, MILLI, 1))
                        .withWaiting(LONG)
                        .withMaxWaiting(2 * many),
                time);
        ThrottleClient client = throttle.client(HOME);
        client.acquire(1);
        AtomicInteger completed = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        for (int i = 0; i < many; i++) {
            client.acquire(1).thenAccept(passed -> {
                deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                time.jump(MILLI);
                client.acquire(1);
                depth.decrementAndGet();
                completed.incrementAndGet();
            });
        }
        time.advance(MILLI);
        assertThat(completed).hasValue(many);
        assertThat(deepest).hasValue(1);
    }

    @Test
    void requestWithinACompletion_isAnsweredAtOnceIfItsTokensAreThere() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                        .withWaiting(LONG),
                time);
        throttle.client(HOME).acquire(1);
        CompletableFuture<Boolean> answered = throttle.client(HOME)
                .acquire(1)
                .thenApply(later -> passed(throttle.client(ELSEWHERE).acquire(1)));
        time.advance(SECOND);
        assertThat(answered).isCompletedWithValue(true);
    }

    @Test
    void changedRate_leavesNoWakeUpOfTheOldOne() {
        Throttle throttle = Throttle.of(
                settings()
                        .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                        .withWaiting(LONG),
                time);
        throttle.client(HOME).acquire(2);
        int wakeUps = time.wakeUps();
        throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(2, LONG, 1));
        assertThat(time.wakeUps()).isEqualTo(wakeUps);
    }

    /** Each step of a request asks the clock, so another caller comes in between there. */
    private static final class InterruptedTime implements GuardTime {

        private final ManualTime time = new ManualTime();
        private Runnable interruption = () -> {};
        private int readings = Integer.MAX_VALUE;

        /** Runs this at so many readings of the clock from now. */
        void interruptAt(int reading, Runnable by) {
            readings = reading;
            interruption = by;
        }

        @Override
        public long nanoTime() {
            if (--readings == 0) {
                interruption.run();
            }
            return time.nanoTime();
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return time.after(delay, action);
        }

        @Override
        public void close() {}
    }

    @Test
    void requestThatIsCancelledAtAnyMoment_hasTakenNothing() {
        int cancelled = 0;
        for (int moment = 1; moment <= 30; moment++) {
            InterruptedTime clock = new InterruptedTime();
            Throttle throttle = Throttle.of(
                    settings()
                            .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                            .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 2))
                            .withWaiting(LONG),
                    clock);
            throttle.client(HOME).acquire(1);
            CompletableFuture<ThrottleResult> waits = throttle.client(HOME).acquire(1);
            clock.interruptAt(moment, () -> waits.cancel(false));
            clock.time.advance(SECOND);
            if (waits.isCancelled()) {
                cancelled++;
                assertThat(passed(throttle.client(ELSEWHERE).acquire(1)))
                        .as("the token that is left, where the clock was read %d times", moment)
                        .isTrue();
            }
        }
        assertThat(cancelled).isGreaterThan(3);
    }

    @Test
    void rateThatIsChangedWhileABucketIsMade_holdsAtOnce() {
        InterruptedTime clock = new InterruptedTime();
        Throttle throttle = Throttle.of(settings().withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 10)), clock);
        clock.interruptAt(2, () -> throttle.changeRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 100)));
        assertThat(throttle.client(HOME).acquire(1).join())
                .isEqualTo(new ThrottleResult.Passed(Duration.ZERO, ThrottleScope.SOURCE, 99));
        assertThat(throttle.client(HOME).acquire(1).join())
                .isEqualTo(new ThrottleResult.Passed(Duration.ZERO, ThrottleScope.SOURCE, 98));
    }

    @Test
    void bucket_isFreeForOtherThreadsAfterEachStep() throws Exception {
        QueuedBucket bucket = QueuedBucket.own(new BucketRate(1, SECOND, 1), time);
        QueuedBucket.Ticket any = ticket("any");
        for (Runnable step : new Runnable[] {
            () -> bucket.enter(any, 9),
            () -> bucket.leave(any), // which gives back
            () -> bucket.change(() -> new BucketRate(2, SECOND, 1)),
        }) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                thread.submit(step).get(30, TimeUnit.SECONDS);
            } finally {
                thread.shutdownNow();
            }
        }
    }
}
