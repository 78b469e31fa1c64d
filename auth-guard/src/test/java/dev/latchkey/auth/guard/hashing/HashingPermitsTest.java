package dev.latchkey.auth.guard.hashing;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashThreads.Hash;
import dev.latchkey.testsupport.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HashingPermitsTest {

    private final ManualTime time = new ManualTime();
    private final WaitingThreads waiting = WaitingThreads.atMost(10);
    private final List<GuardEvent> events = new CopyOnWriteArrayList<>();
    private final HashingPermits one = permits(one());
    private final HashThreads threads = new HashThreads(one);

    @AfterEach
    void close() {
        threads.close();
        assertThat(one.stats().running()).as("permits that nobody gave back").isZero();
        assertThat(one.stats().waiting()).isZero();
        assertThat(one.stats().memoryInUse()).isZero();
        assertThat(waiting.waiting()).isZero();
        assertThat(time.wakeUps()).isZero();
    }

    private HashingPermits permits(HashingSettings settings) {
        return new HashingPermits(settings, waiting, time, events::add);
    }

    /** 500 ms at 100 ms each: five that wait and compute. */
    private static HashingSettings one() {
        return HashingSettings.defaults()
                .withAtOnce(1)
                .withMaxWait(Duration.ofMillis(500))
                .withFirstEstimate(Duration.ofMillis(100));
    }

    private static void assertOverload(AuthUnavailableException refusal) {
        assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD);
        assertThat(refusal.retryAfter())
                .hasValueSatisfying(after -> assertThat(after).isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
    }

    @Test
    void hashRunsOnTheThreadThatAsks() throws Exception {
        assertThat(one.<Thread>call(0, Thread::currentThread)).isSameAs(Thread.currentThread());
        assertThat(one.<Thread>callPatiently(0, Thread::currentThread)).isSameAs(Thread.currentThread());
        assertThat(one.stats().completed()).isEqualTo(2);
    }

    @Test
    void thoseThatWait_beginInTheOrderInWhichTheyCame() {
        Hash first = threads.computing("first", 0);
        Hash second = threads.waiting("second", 0);
        Hash third = threads.waiting("third", 0);
        first.end();
        second.begun();
        assertThat(third.hasBegun()).isFalse();
        second.end();
        third.begun().end();
        assertThat(threads.order()).containsExactly("first", "second", "third");
        assertThat(third.answer).isCompletedWithValue("third");
    }

    @Test
    void queueHoldsTheHashesOfMaxWait_andTheNextIsRefusedAtOnce() throws Exception {
        threads.computing("first", 0);
        for (int i = 0; i < 4; i++) {
            threads.waiting("in time " + i, 0);
        }
        assertThatThrownBy(() -> one.call(0, () -> "too late"))
                .isInstanceOfSatisfying(AuthUnavailableException.class, HashingPermitsTest::assertOverload);
        assertThat(one.stats().refusedFull()).isEqualTo(1);
        assertThat(events).containsExactly(new GuardEvent.HashRefused(Duration.ZERO));
    }

    @Test
    void loginThatLeavesRoom_waitsOnlyInTheFirstHalfOfTheQueue() {
        threads.computing("first", 0);
        threads.ask("in the first half", 0, (memory, hash) -> one.call(memory, true, hash));
        until(() -> one.stats().waiting() == 1);
        assertThatThrownBy(() -> one.call(0, true, () -> "in the second half"))
                .isInstanceOfSatisfying(AuthUnavailableException.class, HashingPermitsTest::assertOverload);
        assertThat(one.submit(0, true, () -> "in the second half", Runnable::run))
                .isCompletedExceptionally();
        threads.waiting("of a newcomer", 0);
        assertThat(one.stats().waiting()).isEqualTo(2);
    }

    @Test
    void loginThatLeavesRoom_getsAFreePermit() throws Exception {
        HashingPermits slow = permits(one().withFirstEstimate(Duration.ofSeconds(2)));
        assertThat(slow.<String>call(0, true, () -> "hashed")).isEqualTo("hashed");
    }

    @Test
    void loginThatLeavesRoom_leavesHalfOfTheSlotsToOthers() {
        HashingPermits quick = permits(one().withFirstEstimate(Duration.ofMillis(1)));
        try (HashThreads quickThreads = new HashThreads(quick)) {
            quickThreads.computing("first", 0);
            for (int i = 0; i < waiting.most() / 2; i++) {
                quickThreads.waiting("in a slot " + i, 0);
            }
            until(() -> waiting.waiting() == waiting.most() / 2);
            assertThatThrownBy(() -> quick.call(0, true, () -> "no slot"))
                    .isInstanceOfSatisfying(AuthUnavailableException.class, HashingPermitsTest::assertOverload);
            quickThreads.waiting("of a newcomer", 0);
        }
    }

    @Test
    void freePermitIsUsed_evenIfAHashTakesLongerThanMaxWait() throws Exception {
        HashingPermits slow = permits(one().withFirstEstimate(Duration.ofSeconds(2)));
        assertThat(slow.<String>call(0, () -> "hashed")).isEqualTo("hashed");
        try (HashThreads slowThreads = new HashThreads(slow)) {
            slowThreads.computing("first", 0);
            assertThatThrownBy(() -> slow.call(0, () -> "second")).isInstanceOf(AuthUnavailableException.class);
        }
    }

    @Test
    void timeToRetryIsTheTimeOfTheHashesAhead() throws Exception {
        HashingPermits slow = permits(one().withFirstEstimate(Duration.ofMinutes(2)));
        try (HashThreads slowThreads = new HashThreads(slow)) {
            slowThreads.computing("first", 0);
            assertThatThrownBy(() -> slow.call(0, () -> "second"))
                    .isInstanceOfSatisfying(
                            AuthUnavailableException.class,
                            refusal -> assertThat(refusal.retryAfter()).contains(Duration.ofMinutes(2)));
        }
    }

    @Test
    void oneThatWaits_isRefusedAtItsDeadline_notBefore() {
        threads.computing("first", 0);
        Hash second = threads.waiting("second", 0);
        time.advance(Duration.ofMillis(499));
        assertThat(one.stats().waiting()).isEqualTo(1);
        time.advance(Duration.ofMillis(1));
        assertOverload(second.refusal());
        assertThat(second.hasBegun()).isFalse();
        assertThat(one.stats().refusedLate()).isEqualTo(1);
        assertThat(events).containsExactly(new GuardEvent.HashRefused(Duration.ofMillis(500)));
    }

    @Test
    void oneThatHasWaitedTooLong_doesNotBegin_evenIfTheTimerIsBehind() {
        Hash first = threads.computing("first", 0);
        Hash second = threads.waiting("second", 0);
        time.jump(Duration.ofMillis(501));
        first.end();
        assertOverload(second.refusal());
        assertThat(second.hasBegun()).isFalse();
        assertThat(one.stats().refusedLate()).isEqualTo(1);
    }

    @Test
    void interruptedThread_getsAnOutage_andLeavesTheQueue() throws Exception {
        threads.computing("first", 0);
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Hash second = threads.ask("second", 0, (memory, hash) -> {
            try {
                return one.call(memory, hash);
            } finally {
                interrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        second.thread.interrupt();
        assertThat(second.refusal().kind()).isEqualTo(Kind.OUTAGE);
        second.join();
        assertThat(interrupted).hasValue(true);
        assertThat(one.stats().waiting()).isZero();
        assertThat(one.stats().abandoned()).isEqualTo(1);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void exceptionsAndErrorsComeOutUnchanged_andThePermitIsFree() throws Exception {
        for (Throwable thrown : List.of(
                new IOException("checked"),
                new IllegalStateException("unchecked"),
                new NoClassDefFoundError("missing"))) {
            assertThatThrownBy(() -> one.call(0, throwing(thrown))).isSameAs(thrown);
            assertThatThrownBy(() -> one.callPatiently(0, throwing(thrown))).isSameAs(thrown);
        }
        assertThat(one.stats().failed()).isEqualTo(6);
        assertThat(one.<String>call(0, () -> "alive")).isEqualTo("alive");
    }

    private static Callable<String> throwing(Throwable thrown) {
        return () -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (Exception) thrown;
        };
    }

    @Test
    void hashWithinAHash_beginsAtOnce_byTheSamePermit() throws Exception {
        String answer = one.call(
                1,
                () -> one.<String>call(1, () -> "inner") + " of "
                        + one.<String>callPatiently(1, () -> "outer") + ", submitted "
                        + one.<Boolean>submit(1, false, () -> true, task -> {
                                    throw new AssertionError("It has a thread");
                                })
                                .join());
        assertThat(answer).isEqualTo("inner of outer, submitted true");
        assertThat(one.stats().completed()).isEqualTo(1);
    }

    @Test
    void threadThatHasEndedItsHash_asksAgainForTheNext() throws Exception {
        one.call(0, () -> "first");
        threads.computing("another", 0);
        HashThreads.Way twice = (memory, hash) -> one.call(memory, hash) + one.call(memory, hash);
        Hash again = threads.ask("again", 0, twice);
        until(() -> one.stats().waiting() != 0);
        assertThat(again.hasBegun()).isFalse();
    }

    @Test
    void permitOfOthers_isNoPermitHere() throws Exception {
        HashingPermits others = permits(one());
        others.call(0, () -> {
            threads.computing("first", 0);
            Hash second = threads.waiting("second", 0);
            time.advance(Duration.ofMillis(500));
            return second.refusal();
        });
        assertThat(one.stats().refusedLate()).isEqualTo(1);
    }

    @Test
    void estimateFollowsLongerHashesQuicklyAndShorterOnesSlowly_andThoseThatFailNotAtAll() throws Exception {
        one.call(0, () -> passing(Duration.ofMillis(500)));
        assertThat(one.stats().estimate()).isEqualTo(Duration.ofMillis(200));
        one.call(0, () -> passing(Duration.ofMillis(40)));
        assertThat(one.stats().estimate()).isEqualTo(Duration.ofMillis(190));
        assertThatThrownBy(() -> one.call(0, throwing(new IllegalStateException("at once"))));
        assertThat(one.stats().estimate()).isEqualTo(Duration.ofMillis(190));
    }

    private String passing(Duration duration) {
        time.jump(duration);
        return "hashed";
    }

    @Test
    void listenerIsToldHowLongAHashWaited_andHowLongItTook() {
        Hash first = threads.computing("first", 0);
        Hash second = threads.waiting("second", 0);
        time.jump(Duration.ofMillis(30));
        first.end();
        second.begun();
        time.jump(Duration.ofMillis(70));
        second.end();
        assertThat(events)
                .containsExactly(
                        new GuardEvent.Hashed(Duration.ZERO, Duration.ofMillis(30)),
                        new GuardEvent.Hashed(Duration.ofMillis(30), Duration.ofMillis(70)));
    }

    @Test
    void oneThatIsRefusedAtOnce_hasNotWaited_evenIfTheClockMovesMeanwhile() throws Exception {
        GuardTime ticking = new TickingTime();
        WaitingThreads full = WaitingThreads.atMost(1);
        assertThat(full.enter()).isTrue();
        HashingPermits permits = new HashingPermits(one(), full, ticking, events::add);
        try (HashThreads hashes = new HashThreads(permits)) {
            hashes.computing("first", 0);
            assertOverload(hashes.ask("no place", 0, permits::call).refusal());
            List<CompletableFuture<String>> inTime = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                inTime.add(permits.submit(0, false, () -> "hashed", Runnable::run));
            }
            assertThat(inTime).noneMatch(CompletableFuture::isDone);
            assertOverload(hashes.ask("too late", 0, permits::call).refusal());
        }
        assertThat(events)
                .filteredOn(GuardEvent.HashRefused.class::isInstance)
                .containsExactly(new GuardEvent.HashRefused(Duration.ZERO), new GuardEvent.HashRefused(Duration.ZERO));
    }

    /** A time that passes with each reading. */
    private static final class TickingTime implements GuardTime {

        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.incrementAndGet();
        }

        @Override
        public WakeUp after(Duration delay, Runnable action) {
            return () -> {};
        }

        @Override
        public void close() {}
    }

    @Test
    void threadsThatWaitForAnythingAboutLogins_shareTheirPlaces() throws Exception {
        WaitingThreads two = WaitingThreads.atMost(2);
        HashingPermits permits = new HashingPermits(one(), two, time, GuardListener.NONE);
        CompletableFuture<String> admission = new CompletableFuture<>();
        Thread limited = new Thread(() -> two.await(admission));
        limited.start();
        until(() -> two.waiting() != 0);
        try (HashThreads hashes = new HashThreads(permits)) {
            Hash first = hashes.computing("first", 0);
            Hash second = hashes.waiting("second", 0);
            until(() -> two.waiting() != 1);
            Hash third = hashes.ask("third", 0, permits::call);
            assertOverload(third.refusal());
            assertThatThrownBy(() -> two.await(new CompletableFuture<>())).isInstanceOf(AuthUnavailableException.class);
            assertThat(permits.stats().waiting()).isEqualTo(1);
            assertThat(permits.stats().refusedFull()).isEqualTo(1);
            first.end();
            second.begun();
            // The place is free again before the hash begins.
            assertThat(two.waiting()).isEqualTo(1);
        } finally {
            admission.complete("admitted");
            limited.join();
        }
        assertThat(two.waiting()).isZero();
    }

    @Test
    void freePermitNeedsNoPlaceToWait() throws Exception {
        WaitingThreads full = WaitingThreads.atMost(1);
        assertThat(full.enter()).isTrue();
        HashingPermits permits = new HashingPermits(one(), full, time, GuardListener.NONE);
        assertThat(permits.<String>call(0, () -> "hashed")).isEqualTo("hashed");
    }

    @Test
    void memoryBelowNothing_isRefusedAsAMistake() {
        assertThatIllegalArgumentException().isThrownBy(() -> one.call(-1, () -> "hashed"));
        assertThatIllegalArgumentException().isThrownBy(() -> one.callPatiently(-1, () -> "hashed"));
        assertThatIllegalArgumentException().isThrownBy(() -> one.submit(-1, false, () -> "hashed", Runnable::run));
    }

    @Test
    void listenerThatThrows_changesNothing() throws Exception {
        HashingPermits permits = new HashingPermits(one(), waiting, time, event -> {
            throw new IllegalStateException("broken listener");
        });
        try (LogLines log = LogLines.of(GuardEvents.class)) {
            assertThat(permits.<String>call(0, () -> "hashed")).isEqualTo("hashed");
            assertThat(log.all()).singleElement().asString().startsWith("WARNING: Listener ");
        }
        assertThat(permits.stats().running()).isZero();
    }
}
