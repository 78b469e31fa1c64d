package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.MemoryPortionStore;
import dev.latchkey.auth.guard.bucket.MemoryPortionStore.Mode;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.testsupport.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared throttles while the store fails, hangs or is slow, and afterwards. */
@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
class ThrottleStoreOutageTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final ThrottleEvent LOST = new ThrottleEvent.StoreLost();
    private static final ThrottleEvent FOUND = new ThrottleEvent.StoreFound();

    private final ManualTime time = new ManualTime();
    private final MemoryPortionStore store = new MemoryPortionStore(time);
    private final List<ThrottleEvent> changes = new ArrayList<>();
    private final LogLines log = LogLines.of(OutageLog.class);
    private final SharedThrottles throttles =
            SharedThrottles.in(store, Secret.of("k".repeat(32)), time, this::remember);

    @AfterEach
    void close() {
        log.close();
    }

    private void remember(ThrottleEvent event) {
        if (event instanceof ThrottleEvent.StoreLost || event instanceof ThrottleEvent.StoreFound) {
            changes.add(event);
        }
    }

    private Throttle waiting(BucketRate rate) {
        return throttles.throttle(ThrottleSettings.named("downloads")
                .withRate(ThrottleScope.GLOBAL, rate)
                .withWaiting(SECOND.multipliedBy(30)));
    }

    private Throttle refusing(BucketRate rate) {
        return throttles.throttle(ThrottleSettings.named("api").withRate(ThrottleScope.GLOBAL, rate));
    }

    private static boolean passed(CompletableFuture<ThrottleResult> result) {
        return result.isDone() && result.join() instanceof ThrottleResult.Passed;
    }

    private static int passedOf(int requests, Throttle throttle) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            passed += passed(throttle.client(HOME).acquire(1)) ? 1 : 0;
        }
        return passed;
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"FAILS", "THROWS"})
    void storeThatFails_leavesTheWholeRateToEachNode(Mode mode) {
        store.mode(mode);
        Throttle throttle = refusing(new BucketRate(10, SECOND, 10));
        assertThat(passedOf(100, throttle)).isEqualTo(10);
        time.advance(Duration.ofMillis(500));
        assertThat(passedOf(100, throttle)).isEqualTo(5);
        assertThat(changes).containsExactly(LOST);
    }

    @Test
    void storeThatHangs_delaysARequestFor200Milliseconds_andNoOther() {
        store.mode(Mode.HANGS);
        Throttle throttle = refusing(new BucketRate(10, SECOND, 10));
        CompletableFuture<ThrottleResult> first = throttle.client(HOME).acquire(1);
        time.advance(Duration.ofMillis(199));
        assertThat(first).isNotDone();
        time.advance(MILLI);
        assertThat(passed(first)).isTrue();
        assertThat(passedOf(100, throttle)).isEqualTo(9);
        assertThat(passedOf(100, refusing(new BucketRate(10, SECOND, 10)))).isEqualTo(10);
        assertThat(changes).containsExactly(LOST);
    }

    @Test
    void body_goesOnWhileTheStoreHangs_andWhenItIsBack() {
        store.latency(MILLI);
        Throttle throttle = waiting(BucketRate.perSecond(1_000_000));
        Download body = new Download(throttle.client(HOME), 8_192).begin();
        time.advance(SECOND);
        store.mode(Mode.HANGS);
        time.advance(SECOND.multipliedBy(5));
        store.mode(Mode.UP);
        time.advance(SECOND.multipliedBy(4));
        assertThat(body.passed().get()).isBetween(9_500_000L, 10_200_000L);
        assertThat(changes).containsExactly(LOST, FOUND);
    }

    @Test
    void loss_andReturn_areLoggedOnceEach_forAllThrottlesOfANode() {
        store.mode(Mode.FAILS);
        for (int i = 0; i < 5; i++) {
            passedOf(10, refusing(new BucketRate(10, SECOND, 10)));
            passedOf(10, waiting(new BucketRate(10, SECOND, 10)));
            time.advance(SECOND);
        }
        assertThat(log.all())
                .singleElement()
                .asString()
                .startsWith(
                        "WARNING: The shared store of throttles does not answer: each node gives their whole rates by"
                                + " itself until it does, caused by ");
        store.mode(Mode.UP);
        passedOf(10, refusing(new BucketRate(10, SECOND, 10)));
        time.advance(SECOND.multipliedBy(10));
        passedOf(10, refusing(new BucketRate(10, SECOND, 10)));
        assertThat(log.all()).hasSize(2).last().isEqualTo("INFO: The shared store of throttles answers again");
    }

    @Test
    void lostStore_isAskedOnceInASecond_andSharedAgainOnceItAnswers() {
        Throttle throttle = refusing(new BucketRate(1, Duration.ofHours(1), 10));
        Throttle other = SharedThrottles.in(store, Secret.of("k".repeat(32)), time, event -> {})
                .throttle(throttle.settings());
        assertThat(passedOf(4, throttle)).isEqualTo(4);
        store.mode(Mode.FAILS);
        // The node's own full bucket: each node allows the content once.
        assertThat(passedOf(20, throttle)).isEqualTo(10);
        store.mode(Mode.UP);
        assertThat(passedOf(20, throttle)).isZero();
        time.advance(SECOND);
        assertThat(passedOf(1, throttle)).isZero();
        assertThat(changes).containsExactly(LOST, FOUND);
        assertThat(passedOf(3, throttle)).isEqualTo(3);
        assertThat(passedOf(20, other)).isEqualTo(3);
    }

    @Test
    void portionThatComesTooLate_goesBack() {
        store.latency(SECOND);
        Throttle throttle = waiting(new BucketRate(1, Duration.ofHours(1), 100));
        CompletableFuture<ThrottleResult> request = throttle.client(HOME).acquire(70);
        time.advance(Duration.ofMillis(200));
        assertThat(passed(request)).isTrue();
        assertThat(store.drawn()).isEqualTo(70);
        time.advance(SECOND);
        assertThat(store.drawn()).isZero();
    }

    @Test
    void storeThatTakesNothingBack_harmsNobody() {
        Throttle throttle = waiting(BucketRate.perSecond(10_000));
        for (int i = 0; i < 50; i++) {
            assertThat(passedOf(4, throttle)).isEqualTo(4);
            time.advance(MILLI);
        }
        store.mode(Mode.THROWS);
        time.advance(SECOND);
        store.mode(Mode.UP);
        assertThat(passedOf(4, throttle)).isEqualTo(4);
        assertThat(changes).isEmpty();
    }

    @Test
    void requestWhoseTimeIsOver_isRefused_whateverTheStoreDoes() {
        store.mode(Mode.HANGS);
        Throttle throttle = throttles.throttle(ThrottleSettings.named("short")
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, SECOND, 1))
                .withWaiting(Duration.ofMillis(20)));
        CompletableFuture<ThrottleResult> request = throttle.client(HOME).acquire(1);
        time.advance(Duration.ofMillis(20));
        assertThat(request.join()).isInstanceOf(ThrottleResult.Refused.class);
        assertThat(throttle.snapshot().waiting()).isZero();
    }

    /** A promise outlives the store, and the promised tokens are not lost. */
    @Test
    void storeThatIsLostWithPromises_isNoWorseThanNone() {
        Throttle throttle = waiting(new BucketRate(10, SECOND, 1));
        List<CompletableFuture<ThrottleResult>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(throttle.client(HOME).acquire(1));
        }
        time.advance(SECOND);
        store.mode(Mode.FAILS);
        time.advance(SECOND.multipliedBy(9));
        assertThat(all.stream().filter(ThrottleStoreOutageTest::passed).count()).isBetween(98L, 100L);
    }

    /** Whatever the node has read by then: it waits for no missing answer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void storeThatIsLostWhileARequestLooks_leavesItToTheNodesOwnRate(int reads) {
        AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        List<Throttle> other = new ArrayList<>();
        GuardTime interrupted = new GuardTime() {
            @Override
            public long nanoTime() {
                if (left.decrementAndGet() == 0) {
                    other.get(0).client(HOME).acquire(1);
                }
                return time.nanoTime();
            }

            @Override
            public WakeUp after(Duration delay, Runnable action) {
                return time.after(delay, action);
            }

            @Override
            public void close() {
                time.close();
            }
        };
        SharedThrottles node = SharedThrottles.in(store, Secret.of("k".repeat(32)), interrupted, this::remember);
        ThrottleSettings settings =
                ThrottleSettings.named("api").withRate(ThrottleScope.GLOBAL, new BucketRate(10, SECOND, 10));
        other.add(node.throttle(settings));
        Throttle throttle = node.throttle(settings);
        store.mode(Mode.FAILS);
        left.set(reads);
        CompletableFuture<ThrottleResult> request = throttle.client(HOME).acquire(1);
        assertThat(passed(request)).isTrue();
    }
}
