package dev.latchkey.auth.cache;

import static dev.latchkey.auth.cache.Until.until;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Interleavings are forced: the delegate holds the first thread at a gate until the test has placed the other
 * threads.
 */
@Timeout(60)
class FlightsTest {

    private static final long SHORT_STACK_BYTES = 256 * 1024;

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
    private final String hash = fake.encode("right");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Gate gate = new Gate();

    @AfterEach
    void everyFlightHasLeft() throws Exception {
        gate.open();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, SECONDS)).isTrue();
        assertThat(cache.stats().inFlight()).isZero();
    }

    @Test
    @Tag("many-threads")
    void thousandThreadsWithOneColdCredential_computeOneHash() throws Exception {
        fake.beforeAnswer = (presented, storedHash) -> gate.pass();
        List<Future<Boolean>> logins = start(1_000, "right");
        awaitWaiters(999);
        gate.open();
        for (Future<Boolean> login : logins) {
            assertThat(login.get(30, SECONDS)).isTrue();
        }
        assertThat(fake.checks).hasValue(1);
        assertThat(cache.stats().flights()).isEqualTo(1);
    }

    // Elasticsearch #36900: everybody waited behind one wrong attempt.
    @Test
    void wrongPasswordInFlight_delaysNoRightOne() throws Exception {
        fake.beforeAnswer = (presented, storedHash) -> {
            if (presented.toString().equals("wrong")) {
                gate.pass();
            }
        };
        Future<Boolean> wrong = start(1, "wrong").get(0);
        gate.awaitArrival();
        assertThat(start(1, "right").get(0).get(30, SECONDS)).isTrue();
        assertThat(wrong).isNotDone();
        gate.open();
        assertThat(wrong.get(30, SECONDS)).isFalse();
    }

    @Test
    void rightPasswordInFlight_delaysNoWrongOne() throws Exception {
        fake.beforeAnswer = (presented, storedHash) -> {
            if (presented.toString().equals("right")) {
                gate.pass();
            }
        };
        Future<Boolean> right = start(1, "right").get(0);
        gate.awaitArrival();
        assertThat(start(1, "wrong").get(0).get(30, SECONDS)).isFalse();
        assertThat(right).isNotDone();
    }

    // Two equal guesses share one hash: the second answer waits for the duration of an own hash.
    @Test
    void refusalOfAWaiter_isNoSoonerThanAHashOfItsOwn() throws Exception {
        fake.beforeAnswer = (presented, storedHash) -> gate.pass();
        Future<Boolean> first = start(1, "wrong").get(0);
        gate.awaitArrival();
        Duration later = Duration.ofMillis(50);
        time.pass(later);
        Future<Boolean> second = start(1, "wrong").get(0);
        awaitWaiters(1);
        gate.open();
        assertThat(first.get(30, SECONDS)).isFalse();
        assertThat(second.get(30, SECONDS)).isFalse();
        assertThat(time.paused).as("as long as it came later").hasValue(later.toNanos());
    }

    @Test
    void placeOfAWaiter_isGivenBack_andWithoutOneALoginIsOverload() throws Exception {
        Semaphore places = new Semaphore(1);
        CredentialCache bounded = CredentialCache.with(cache.settings(), new WaitBound() {
            @Override
            public boolean enter() {
                return places.tryAcquire();
            }

            @Override
            public void leave() {
                places.release();
            }
        });
        CachingPasswordEncoder waiting = CachingPasswordEncoder.around(fake, bounded);
        fake.beforeAnswer = (presented, storedHash) -> gate.pass();
        List<Future<Boolean>> logins = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            logins.add(threads.submit(() -> waiting.matches("right", hash)));
        }
        until(() -> bounded.stats().waiters() > 0);
        assertThatThrownBy(() -> waiting.matches("right", hash))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        refused -> assertThat(refused.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
        gate.open();
        for (Future<Boolean> login : logins) {
            assertThat(login.get(30, SECONDS)).isTrue();
        }
        assertThat(places.availablePermits()).isEqualTo(1);
        bounded.close();
    }

    @Test
    void successOfAWaiter_isNotHeld() throws Exception {
        fake.beforeAnswer = (presented, storedHash) -> gate.pass();
        start(1, "right");
        gate.awaitArrival();
        time.pass(Duration.ofMillis(50));
        Future<Boolean> second = start(1, "right").get(0);
        awaitWaiters(1);
        gate.open();
        assertThat(second.get(30, SECONDS)).isTrue();
        assertThat(time.paused).hasValue(0);
    }

    // Elasticsearch #111369: the pool rejected the task, the future never completed, later logins hung.
    @Test
    void failureOfTheFirst_isItsOwnAndTheOthersAskForThemselves() throws Exception {
        for (Throwable failure : List.of(
                new RejectedExecutionException("full"),
                new IllegalStateException("broken"),
                AuthUnavailableException.overload("full", Duration.ofSeconds(1)),
                new OutOfMemoryError("for a test"),
                new StackOverflowError("for a test"),
                new AssertionError("for a test"))) {
            cache.evictAll();
            Gate held = new Gate();
            AtomicInteger asked = new AtomicInteger();
            fake.beforeAnswer = (presented, storedHash) -> {
                if (asked.getAndIncrement() == 0) {
                    held.pass();
                    FlightsTest.<RuntimeException>sneak(failure);
                }
            };
            long waitersBefore = cache.stats().waiters();
            Future<Boolean> first = start(1, "right").get(0);
            held.awaitArrival();
            List<Future<Boolean>> others = start(10, "right");
            awaitWaiters(waitersBefore + 10);
            held.open();
            assertThatThrownBy(() -> first.get(30, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(failure);
            for (Future<Boolean> other : others) {
                assertThat(other.get(30, SECONDS)).isTrue();
            }
            assertThat(asked).as("each once").hasValue(11);
            assertThat(cache.stats().inFlight()).isZero();
            assertThat(encoder.matches("right", hash)).isTrue();
            assertThat(encoder.matches("right", hash)).isTrue();
            assertThat(asked).as("a later login").hasValue(12);
        }
        assertThat(cache.stats().failedLoads()).isEqualTo(6);
    }

    @Test
    void outage_isPassedOnToACallerThatWaits() throws Exception {
        AuthUnavailableException outage = AuthUnavailableException.outage("down");
        fake.beforeAnswer = (presented, storedHash) -> {
            gate.pass();
            throw outage;
        };
        List<Future<Boolean>> logins = start(10, "right");
        awaitWaiters(9);
        gate.open();
        for (Future<Boolean> login : logins) {
            assertThatThrownBy(() -> login.get(30, SECONDS)).hasCause(outage);
        }
        assertThat(fake.checks).hasValue(1);
        assertThatThrownBy(() -> encoder.matches("right", hash))
                .as("not cached, asked again")
                .isSameAs(outage);
        assertThat(fake.checks).hasValue(2);
    }

    @Test
    void interruptedWaiter_asksForItselfAndStaysInterrupted() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        fake.beforeAnswer = (presented, storedHash) -> {
            if (asked.getAndIncrement() == 0) {
                gate.pass();
            }
        };
        Future<Boolean> first = start(1, "right").get(0);
        gate.awaitArrival();
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        threads.execute(() -> {
            thread.set(Thread.currentThread());
            boolean right = encoder.matches("right", hash);
            interrupted.complete(right && Thread.currentThread().isInterrupted());
        });
        awaitWaiters(1);
        thread.get().interrupt();
        assertThat(interrupted.get(30, SECONDS)).isTrue();
        assertThat(first).isNotDone();
        gate.open();
        assertThat(first.get(30, SECONDS)).isTrue();
    }

    // A hash may finish between the missed look-up and the next flight: the stored result is used, without a second
    // hash.
    @Test
    void entryStoredAfterTheLookUp_isFoundByTheFlight() {
        CredentialLookup late = CredentialLookup.ofPassword(1, cache.seed(), hash, "right");
        assertThat(cache.find(late)).isNull();
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(cache.recheck(late)).isNotNull();
        assertThat(cache.find(CredentialLookup.ofPassword(1, cache.seed(), hash, "right")))
                .as("and by whoever looks up now, without a flight")
                .isNotNull();
        AtomicInteger asked = new AtomicInteger();
        assertThat(cache.<Boolean>load(late, new CredentialLoad<>() {
                    @Override
                    public Boolean stored() {
                        return cache.recheck(late) == null ? null : Boolean.TRUE;
                    }

                    @Override
                    public Boolean ask() {
                        asked.incrementAndGet();
                        return true;
                    }

                    @Override
                    public boolean accepts(Boolean verdict) {
                        return verdict;
                    }

                    @Override
                    public void store(Boolean verdict, Flight<Boolean> flight, long nanos) {}
                }))
                .isTrue();
        assertThat(asked).hasValue(0);
    }

    @Test
    void successThatCannotBeStored_isASuccess() {
        AtomicInteger asked = new AtomicInteger();
        for (Throwable failure : List.of(new IllegalStateException("broken"), new NoClassDefFoundError("for a test"))) {
            CredentialLookup lookup = CredentialLookup.ofPassword(1, cache.seed(), hash, "right");
            assertThat(cache.find(lookup)).isNull();
            assertThat(cache.<Boolean>load(lookup, new CredentialLoad<>() {
                        @Override
                        public @Nullable Boolean stored() {
                            return null;
                        }

                        @Override
                        public Boolean ask() {
                            asked.incrementAndGet();
                            return true;
                        }

                        @Override
                        public boolean accepts(Boolean verdict) {
                            return verdict;
                        }

                        @Override
                        public void store(Boolean verdict, Flight<Boolean> flight, long nanos) {
                            FlightsTest.<RuntimeException>sneak(failure);
                        }
                    }))
                    .isTrue();
        }
        assertThat(asked).hasValue(2);
        assertThat(cache.stats().failedLoads()).isZero();
        assertThat(cache.stats().notStored()).isEqualTo(2);
    }

    // A caller after an eviction does not get an earlier result.
    @Test
    void loginAfterAnEviction_joinsNoFlightFromBefore() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        fake.beforeAnswer = (presented, storedHash) -> {
            if (asked.getAndIncrement() == 0) {
                gate.pass();
            }
        };
        Future<Boolean> before = start(1, "right").get(0);
        gate.awaitArrival();
        cache.evictStoredHash(hash);
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(asked).hasValue(2);
        assertThat(cache.stats().size()).as("the later one is stored").isEqualTo(1);
        cache.evictStoredHash(hash);
        gate.open();
        assertThat(before.get(30, SECONDS)).isTrue();
        assertThat(cache.stats().size()).as("the earlier one is not").isZero();
    }

    @Test
    void delegateThatAsksItsOwnCaller_doesNotWaitForItself() {
        AtomicInteger depth = new AtomicInteger();
        fake.beforeAnswer = (presented, storedHash) -> {
            if (depth.getAndIncrement() == 0) {
                assertThat(encoder.matches(presented, storedHash)).isTrue();
            }
        };
        assertThat(encoder.matches("right", hash)).isTrue();
        assertThat(depth).hasValue(2);
    }

    // A caller at the end of the stack must not leave an endless flight.
    @Test
    @Tag("deep-stack")
    void stackThatEndsAnywhere_leavesNoFlightBehind() throws Exception {
        CredentialLookup lookup = CredentialLookup.ofPassword(1, cache.seed(), hash, "deep");
        assertThat(cache.find(lookup)).isNull();
        // What runs first here would be initialised where the stack ends, and be unusable from then on.
        assertThat(cache.load(lookup, new Refusal())).isFalse();
        for (int round = 0; round < 20; round++) {
            AtomicInteger depth = new AtomicInteger();
            onAStackOfItsOwn(() -> descend(depth, lookup));
            assertThat(depth.get()).isPositive();
            assertThat(cache.stats().inFlight()).isZero();
        }
        assertThat(encoder.matches("right", hash)).isTrue();
    }

    /** Whatever the compiler has made of the tests before: a short stack ends soon, and begins with the round. */
    private static void onAStackOfItsOwn(Runnable round) throws Exception {
        FutureTask<Void> task = new FutureTask<>(round, null);
        Thread thread = new Thread(null, task, "short stack", SHORT_STACK_BYTES);
        thread.start();
        task.get(30, SECONDS);
        thread.join();
    }

    @SuppressWarnings("InfiniteRecursion")
    private int descend(AtomicInteger depth, CredentialLookup lookup) {
        if (depth.incrementAndGet() == Integer.MAX_VALUE) {
            return 0;
        }
        try {
            return 1 + descend(depth, lookup);
        } catch (StackOverflowError end) {
            // Each frame on the way back tries again with a little more room.
            return cache.load(lookup, new Refusal()) ? 1 : 0;
        }
    }

    /** The smallest possible load, so most of the stack belongs to the flight. */
    private static final class Refusal implements CredentialLoad<Boolean> {

        @Override
        public @Nullable Boolean stored() {
            return null;
        }

        @Override
        public Boolean ask() {
            return false;
        }

        @Override
        public boolean accepts(Boolean verdict) {
            return verdict;
        }

        @Override
        public void store(Boolean verdict, Flight<Boolean> flight, long nanos) {}
    }

    private List<Future<Boolean>> start(int count, String password) {
        List<Future<Boolean>> logins = new ArrayList<>();
        Callable<Boolean> login = () -> encoder.matches(password, hash);
        for (int i = 0; i < count; i++) {
            logins.add(threads.submit(login));
        }
        return logins;
    }

    private void awaitWaiters(long count) {
        until(() -> cache.stats().waiters() >= count);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    /** Holds each passing thread until the gate is opened. */
    private static final class Gate {

        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        void pass() {
            arrived.countDown();
            try {
                opened.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void awaitArrival() throws InterruptedException {
            arrived.await();
        }

        void open() {
            opened.countDown();
        }
    }
}
