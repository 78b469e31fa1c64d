package dev.latchkey.auth.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.HashDemand.Familiarity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class HashingPoolTest {

    private static final HashDemand ANY = HashDemand.ofProcessor();
    private static final HashDemand KNOWN = ANY.from(Familiarity.KNOWN);

    private final ManualTime time = new ManualTime();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** Occupies a thread until it is let go. */
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        letGo.countDown();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private HashingPool pool(HashingPoolSettings settings) {
        HashingPool pool = HashingPool.start(settings, time);
        open.add(pool);
        return pool;
    }

    private static HashingPoolSettings one() {
        return HashingPoolSettings.defaults().withThreads(1).withFirstEstimate(Duration.ofMillis(100));
    }

    private CompletableFuture<String> occupy(HashingPool pool) throws InterruptedException {
        return occupy(pool, ANY);
    }

    private CompletableFuture<String> occupy(HashingPool pool, HashDemand demand) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> task = pool.submit(demand, () -> {
            begun.countDown();
            letGo.await();
            return "occupied";
        });
        begun.await();
        return task;
    }

    private static void assertOverload(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        assertThatThrownBy(future::join)
                .hasCauseInstanceOf(AuthUnavailableException.class)
                .satisfies(thrown -> {
                    AuthUnavailableException cause = (AuthUnavailableException) thrown.getCause();
                    assertThat(cause.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
                    assertThat(cause.retryAfter())
                            .hasValueSatisfying(
                                    after -> assertThat(after).isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
                });
    }

    @Test
    void hashRunsOnANamedDaemonPlatformThreadOfThePool() throws Exception {
        HashingPool pool = pool(one());
        Thread thread = pool.call(ANY, Thread::currentThread);
        assertThat(thread.getName()).isEqualTo("latchkey-hash-1");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(pool.<Boolean>call(ANY, pool::runsHere)).isTrue();
        assertThat(pool.runsHere()).isFalse();
    }

    @Test
    void queueHoldsWhatCanBeDoneWithinMaxWait_andOverloadIsAnOutageNotARejection() throws Exception {
        // 500 ms at 100 ms each: five places, all of them open to strangers without a share.
        HashingPool pool = pool(one().withKnownShare(0));
        occupy(pool);
        List<CompletableFuture<String>> accepted = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            accepted.add(pool.submit(ANY, () -> "done"));
        }
        assertOverload(pool.submit(ANY, () -> "too many"));
        letGo.countDown();
        for (CompletableFuture<String> each : accepted) {
            assertThat(each.get()).isEqualTo("done");
        }
        assertThat(pool.stats().refusedFull()).isEqualTo(1);
    }

    @Test
    void placesAreKeptForKnownSources() throws Exception {
        HashingPool pool = pool(one().withKnownShare(0.2));
        occupy(pool);
        for (int i = 0; i < 3; i++) {
            pool.submit(ANY, () -> "stranger");
        }
        assertOverload(pool.submit(ANY, () -> "one stranger too many"));
        CompletableFuture<String> known = pool.submit(KNOWN, () -> "known");
        letGo.countDown();
        assertThat(known.get()).isEqualTo("known");
    }

    @Test
    void placeIsKeptForKnownSources_evenWhenOneHashTakesLongerThanMaxWait() throws Exception {
        HashingPool pool = pool(one().withFirstEstimate(Duration.ofSeconds(2)));
        occupy(pool);
        assertOverload(pool.submit(ANY, () -> "stranger"));
        CompletableFuture<String> known = pool.submit(KNOWN, () -> "known");
        letGo.countDown();
        assertThat(known.get()).isEqualTo("known");
    }

    @Test
    void waitingHashIsRefusedAtItsDeadline_notBefore() throws Exception {
        HashingPool pool = pool(one());
        occupy(pool);
        AtomicInteger hashed = new AtomicInteger();
        CompletableFuture<Integer> waiting = pool.submit(ANY, hashed::incrementAndGet);
        time.advance(Duration.ofMillis(499));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertOverload(waiting);
        letGo.countDown();
        pool.call(ANY, () -> "the thread is free again");
        assertThat(hashed).hasValue(0);
        assertThat(pool.stats().refusedLate()).isEqualTo(1);
    }

    @Test
    void threadThatTakesAHashTooLateDoesNotBeginIt_evenIfTheTimerIsBehind() throws Exception {
        HashingPool pool = pool(one());
        occupy(pool);
        AtomicInteger hashed = new AtomicInteger();
        CompletableFuture<Integer> late = pool.submit(ANY, hashed::incrementAndGet);
        time.jump(Duration.ofMillis(501));
        letGo.countDown();
        assertThatThrownBy(late::get).hasCauseInstanceOf(AuthUnavailableException.class);
        assertThat(hashed).hasValue(0);
        assertThat(pool.stats().refusedLate()).isEqualTo(1);
    }

    @Test
    void errorAndExceptionCompleteTheStage_andLeaveTheThreadAlive() throws Exception {
        HashingPool pool = pool(one());
        CompletableFuture<Object> error = pool.submit(ANY, () -> {
            throw new NoClassDefFoundError("some/Encoder");
        });
        assertThatThrownBy(error::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThatThrownBy(() -> pool.call(ANY, () -> {
                    throw new java.io.IOException("checked");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(pool.<String>call(ANY, () -> "alive")).isEqualTo("alive");
        assertThat(pool.stats().failed()).isEqualTo(2);
    }

    @Test
    void memoryHardHashesShareTheBudget_andOthersPassThemMeanwhile() throws Exception {
        HashingPool pool = pool(HashingPoolSettings.defaults().withThreads(2).withMemoryBytes(100));
        occupy(pool, HashDemand.ofMemory(60));
        CompletableFuture<String> second = pool.submit(HashDemand.ofMemory(60), () -> "second");
        assertThat(pool.<String>call(ANY, () -> "needs none")).isEqualTo("needs none");
        assertThat(second).isNotDone();
        assertThat(pool.stats().memoryInUse()).isEqualTo(60);
        letGo.countDown();
        assertThat(second.get()).isEqualTo("second");
        assertThat(pool.stats().memoryInUse()).isZero();
    }

    @Test
    void hashThatStatesMoreMemoryThanThereIsRunsAlone() throws Exception {
        HashingPool pool = pool(HashingPoolSettings.defaults().withThreads(2).withMemoryBytes(100));
        assertThat(pool.<Long>call(
                        HashDemand.ofMemory(1_000), () -> pool.stats().memoryInUse()))
                .isEqualTo(100);
    }

    @Test
    void hashWhoseCallerWentAwayIsNotBegun() throws Exception {
        HashingPool pool = pool(one());
        occupy(pool);
        AtomicInteger hashed = new AtomicInteger();
        pool.submit(ANY, hashed::incrementAndGet).cancel(false);
        assertThat(pool.stats().queued()).isZero();
        letGo.countDown();
        pool.call(ANY, () -> "after it");
        assertThat(hashed).hasValue(0);
        assertThat(pool.stats().abandoned()).isEqualTo(1);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void workInsideWorkRunsAtOnce_sinceItsOwnThreadWouldWaitForItself() throws Exception {
        HashingPool pool = pool(one());
        String answer = pool.call(ANY, () -> pool.<String>call(ANY, () -> "inner") + " of outer");
        assertThat(answer).isEqualTo("inner of outer");
    }

    @Test
    void whatFollowsOnAResultHasToQueueLikeAnybody() throws Exception {
        HashingPool pool = pool(one());
        AtomicReference<Boolean> inside = new AtomicReference<>();
        CompletableFuture<String> next = occupy(pool).thenApply(value -> {
            inside.set(pool.runsHere());
            return value;
        });
        letGo.countDown();
        next.get();
        assertThat(inside).hasValue(false);
    }

    @Test
    void estimateFollowsLongerHashesQuicklyAndShorterOnesSlowly() throws Exception {
        HashingPool pool = pool(one());
        pool.call(ANY, () -> {
            time.jump(Duration.ofMillis(500));
            return "long";
        });
        assertThat(pool.stats().estimate()).isEqualTo(Duration.ofMillis(200));
        pool.call(ANY, () -> {
            time.jump(Duration.ofMillis(40));
            return "short";
        });
        assertThat(pool.stats().estimate()).isEqualTo(Duration.ofMillis(190));
    }

    @Test
    void queueIsBoundedByNumberToo_howeverShortHashesAre() throws Exception {
        HashingPool pool = pool(one().withFirstEstimate(Duration.ofNanos(1)).withMaxQueued(2));
        occupy(pool);
        pool.submit(ANY, () -> "first");
        pool.submit(ANY, () -> "second");
        assertOverload(pool.submit(ANY, () -> "third"));
    }

    @Test
    void closeLetsTheQueueRunEmptyAndEndsTheThreads() throws Exception {
        HashingPool pool = pool(one().withMaxWait(Duration.ofMinutes(1)));
        Thread thread = pool.call(ANY, Thread::currentThread);
        occupy(pool);
        CompletableFuture<String> waiting = pool.submit(ANY, () -> "drained");
        Thread closer = new Thread(pool::close);
        closer.start();
        CompletableFuture<String> afterClose = pool.submit(ANY, () -> "accepted before close was seen");
        while (!afterClose.isCompletedExceptionally()) {
            afterClose = pool.submit(ANY, () -> "accepted before close was seen");
        }
        letGo.countDown();
        assertThat(waiting.get()).isEqualTo("drained");
        closer.join();
        thread.join();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void closeRefusesWhatCannotBeDrained_andInterruptsWhatRuns() throws Exception {
        HashingPool pool = pool(one().withMaxWait(Duration.ofMillis(50)).withFirstEstimate(Duration.ofMillis(1)));
        CompletableFuture<String> stuck = occupy(pool);
        CompletableFuture<String> waiting = pool.submit(ANY, () -> "never");
        pool.close();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(AuthUnavailableException.class);
        assertThatThrownBy(stuck::get).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void interruptedCallerGetsAnOutage_andItsHashIsTakenOutOfTheQueue() throws Exception {
        HashingPool pool = pool(one());
        occupy(pool);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                pool.call(ANY, () -> "never");
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        caller.start();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(AuthUnavailableException.class);
        assertThat(pool.stats().queued()).isZero();
    }

    @Test
    void listenerThatThrowsChangesNothing() throws Exception {
        HashingPool pool = HashingPool.start(one(), time, event -> {
            throw new IllegalStateException("broken listener");
        });
        open.add(pool);
        try (LogLines log = LogLines.of(GuardEvents.class)) {
            assertThat(pool.<String>call(ANY, () -> "hashed")).isEqualTo("hashed");
            assertThat(log.all()).singleElement().asString().startsWith("WARNING: Listener ");
        }
    }
}
