package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.MemoryPortionStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes with one shared throttle. */
@SuppressWarnings("FutureReturnValueIgnored") // a test may ask and not care for the answer
@Tag("long")
class SharedThrottlesTest {

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final int NODES = 3;

    private final ManualTime time = new ManualTime();
    private final MemoryPortionStore store = new MemoryPortionStore(time);

    private Throttle node(ThrottleSettings settings) {
        return SharedThrottles.in(store, Secret.of("k".repeat(32)), time, ThrottleListener.NONE)
                .throttle(settings);
    }

    private List<Throttle> nodes(ThrottleSettings settings) {
        return IntStream.range(0, NODES).mapToObj(i -> node(settings)).toList();
    }

    private static ThrottleSettings settings() {
        return ThrottleSettings.named("downloads");
    }

    private static ClientSource source(int n) {
        return ClientSource.of("10.0." + n / 256 + "." + n % 256).orElseThrow();
    }

    private static boolean passed(CompletableFuture<ThrottleResult> result) {
        return result.isDone() && result.join() instanceof ThrottleResult.Passed;
    }

    private static long passed(List<CompletableFuture<ThrottleResult>> results) {
        return results.stream().filter(SharedThrottlesTest::passed).count();
    }

    /** The passed requests before each step of ten milliseconds; the caller asks for more before each step. */
    private List<Long> totals(int steps, Runnable more, List<? extends Number> counts) {
        List<Long> totals = new ArrayList<>(List.of(0L));
        for (int i = 0; i < steps; i++) {
            more.run();
            time.advance(Duration.ofMillis(10));
            totals.add(counts.stream().mapToLong(Number::longValue).sum());
        }
        return totals;
    }

    private static void assertEachSecond(List<Long> totals, long least, long most) {
        for (int end = 100; end < totals.size(); end++) {
            assertThat(totals.get(end) - totals.get(end - 100)).isBetween(least, most);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 20})
    void bodiesOnThreeNodes_passAtTheRateOfOne_inEverySecond(int latencyMillis) {
        store.latency(Duration.ofMillis(latencyMillis));
        long rate = 20_000_000;
        List<Download> all = new ArrayList<>();
        for (Throttle node : nodes(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(rate))
                .withWaiting(LONG))) {
            for (int i = 0; i < 20; i++) {
                all.add(new Download(node.client(source(i)), 8_192).begin());
            }
        }
        List<Long> totals =
                totals(500, () -> {}, all.stream().map(Download::passed).toList());
        assertEachSecond(totals, rate * 95 / 100, rate * 110 / 100);
        assertThat((double) totals.get(500)).isLessThanOrEqualTo(rate * 5.0 * 1.02);
        assertThat(store.draws()).isLessThan(5 * 300);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void requestsThatWaitForTheStoreAlone_needNoPlaceInTheQueue(int maxWaitSeconds) {
        store.latency(MILLI.multipliedBy(5));
        Throttle throttle = node(settings()
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 10))
                .withWaiting(Duration.ofSeconds(maxWaitSeconds))
                .withMaxWaiting(0));
        List<CompletableFuture<ThrottleResult>> results = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            results.add(throttle.client(source(i)).acquire(1));
        }
        time.advance(SECOND);
        assertThat(passed(results)).isEqualTo(10);
        assertThat(results).allMatch(CompletableFuture::isDone);
    }

    @Test
    void requestsThatWaitForTheStoreAlone_areAtMostTenThousand() {
        store.latency(MILLI);
        Throttle throttle = node(settings().withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 10)));
        for (int i = 0; i < 10_000; i++) {
            throttle.client(HOME).acquire(1);
        }
        assertThat(throttle.snapshot().waiting()).isEqualTo(10_000);
        assertThat(throttle.client(HOME).acquire(1).join()).isInstanceOf(ThrottleResult.Refused.class);
    }

    @Test
    void requestWithoutWait_waitsForTheStoreAlone() {
        store.latency(MILLI.multipliedBy(50));
        Throttle node = node(settings()
                .withRate(ThrottleScope.PRINCIPAL, new BucketRate(1, LONG, 2))
                .withWaiting(LONG));
        ThrottleClient ann = node.client(HOME, "ann");
        List<CompletableFuture<ThrottleResult>> both = List.of(ann.acquireWithoutWait(1), ann.acquireWithoutWait(1));
        CompletableFuture<ThrottleResult> third = ann.acquireWithoutWait(1);
        assertThat(both).noneMatch(CompletableFuture::isDone);
        time.advance(MILLI.multipliedBy(200));
        assertThat(passed(both)).isEqualTo(2);
        time.advance(MILLI.multipliedBy(300));
        assertThat(third.join()).isInstanceOf(ThrottleResult.Refused.class);

        CompletableFuture<ThrottleResult> patient = ann.acquire(1);
        CompletableFuture<ThrottleResult> fourth = ann.acquireWithoutWait(1);
        time.advance(MILLI.multipliedBy(300));
        assertThat(fourth.join()).isInstanceOf(ThrottleResult.Refused.class);
        assertThat(patient).isNotDone();
        CompletableFuture<ThrottleResult> bob = node.client(HOME, "bob").acquireWithoutWait(1);
        time.advance(MILLI.multipliedBy(200));
        assertThat(passed(bob)).isTrue();
    }

    /** Nine in each millisecond. */
    @Test
    void requestsOnThreeNodes_thatAreRefusedOtherwise_passAtTheRateOfOne_inEverySecond() {
        store.latency(MILLI);
        List<Throttle> nodes = nodes(settings().withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000)));
        AtomicLong count = new AtomicLong();
        Runnable flood = () -> {
            for (int i = 0; i < 90; i++) {
                ThrottleClient client = nodes.get(i % NODES).client(source(i));
                time.after(
                        MILLI.multipliedBy(i / 9),
                        () -> client.acquire(1)
                                .thenAccept(
                                        result -> count.addAndGet(result instanceof ThrottleResult.Passed ? 1 : 0)));
            }
        };
        assertEachSecond(totals(500, flood, List.of(count)), 900, 1_100);
        assertThat(store.draws()).isLessThan(5 * NODES * 300);
    }

    @Test
    void callersOwnRate_isOneForAllNodes() {
        List<Throttle> nodes =
                nodes(settings().withRate(ThrottleScope.PRINCIPAL, new BucketRate(60, Duration.ofMinutes(1), 10)));
        List<CompletableFuture<ThrottleResult>> results = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            results.add(nodes.get(i % NODES).client(source(i), "ann").acquire(1));
        }
        assertThat(passed(results)).isEqualTo(10);
        assertThat(results.get(59).join()).isEqualTo(new ThrottleResult.Refused(ThrottleScope.PRINCIPAL, SECOND));
        assertThat(passed(nodes.get(0).client(HOME, "bob").acquire(10))).isTrue();
        time.advance(SECOND.multipliedBy(3));
        results.clear();
        for (int i = 0; i < 60; i++) {
            results.add(nodes.get(i % NODES).client(source(i), "ann").acquire(1));
        }
        assertThat(passed(results)).isEqualTo(3);
    }

    @Test
    void callerThatMovesFromNodeToNode_isSlowedDownToItsRate() {
        store.latency(MILLI);
        List<Throttle> nodes = nodes(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 1))
                .withWaiting(LONG));
        List<CompletableFuture<ThrottleResult>> results = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            results.add(nodes.get(i % NODES).client(HOME).acquire(1));
        }
        time.advance(SECOND.multipliedBy(10));
        assertThat(passed(results)).isBetween(95L, 101L);
    }

    @Test
    void fullBucket_isThereForOneNodeAtOnce() {
        List<Throttle> nodes = nodes(settings()
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1_000))
                .withWaiting(SECOND));
        assertThat(passed(nodes.get(0).client(HOME).acquire(700))).isTrue();
        assertThat(passed(nodes.get(1).client(HOME).acquire(300))).isTrue();
        assertThat(passed(nodes.get(2).client(HOME).acquire(1))).isFalse();
    }

    @Test
    void costAbovePortionAndBurst_isCollectedInParts() {
        store.latency(MILLI);
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(100, SECOND, 10))
                .withWaiting(LONG));
        CompletableFuture<ThrottleResult> large = node.client(HOME).acquire(110);
        time.advance(SECOND.minusMillis(2));
        assertThat(large).isNotDone();
        time.advance(Duration.ofMillis(50));
        assertThat(passed(large)).isTrue();
    }

    @Test
    void costAboveTheBurst_thatMayNotWait_asksForAFullBucket() {
        Throttle node = node(settings().withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 10)));
        assertThat(passed(node.client(HOME).acquire(1_000))).isTrue();
        assertThat(node.client(HOME).acquire(1_000).join())
                .isEqualTo(new ThrottleResult.Refused(ThrottleScope.SOURCE, SECOND));
    }

    @Test
    void oneCallerOfANode_isServedInOrder() {
        store.latency(MILLI);
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, BucketRate.perSecond(1_000))
                .withWaiting(LONG));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            node.client(HOME).acquire(1 + i % 7).thenAccept(result -> order.add(number));
        }
        time.advance(SECOND);
        assertThat(order).hasSize(100).isSorted();
    }

    @Test
    void callerThatHasWaitedLongEnough_isRefused_andTheTokensAreThereForOtherNodes() {
        store.latency(MILLI);
        List<Throttle> nodes = nodes(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 10))
                .withWaiting(SECOND));
        CompletableFuture<ThrottleResult> large = nodes.get(0).client(HOME).acquire(1_000);
        time.advance(SECOND.minusMillis(1));
        assertThat(large).isNotDone();
        time.advance(MILLI);
        assertThat(large.join()).isEqualTo(new ThrottleResult.Refused(ThrottleScope.SOURCE, SECOND));
        time.advance(Duration.ofMillis(200));
        CompletableFuture<ThrottleResult> other = nodes.get(1).client(HOME).acquire(10);
        time.advance(Duration.ofMillis(5));
        assertThat(passed(other)).isTrue();
    }

    @Test
    void largeRequestThatIsCancelled_leavesABurstAtMost() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(100, SECOND, 10))
                .withWaiting(LONG));
        CompletableFuture<ThrottleResult> large = node.client(HOME).acquire(1_000);
        time.advance(Duration.ofMillis(500));
        large.cancel(false);
        assertThat(passed(requests(node.client(HOME), 50))).isEqualTo(10);
    }

    /** The node holds five drawn tokens at the moment when another scope rejects a request of ten. */
    @Test
    void requestThatAnotherScopeRefuses_leavesABurstAtMost() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.PRINCIPAL, new BucketRate(1_000, SECOND, 10))
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, LONG, 1)));
        ThrottleClient ann = node.client(HOME, "ann");
        assertThat(passed(ann.acquire(5))).isTrue();
        time.advance(Duration.ofMillis(10));
        assertThat(ann.acquire(10).join())
                .isEqualTo(new ThrottleResult.Refused(ThrottleScope.GLOBAL, LONG.minusMillis(10)));
        node.removeRate(ThrottleScope.GLOBAL);
        assertThat(passed(requests(ann, 50))).isEqualTo(10);
    }

    private static List<CompletableFuture<ThrottleResult>> requests(ThrottleClient client, int count) {
        return IntStream.range(0, count).mapToObj(i -> client.acquire(1)).toList();
    }

    @Test
    void idleNode_givesItsPortionsBack() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(10_000))
                .withWaiting(SECOND));
        for (int i = 0; i < 50; i++) {
            for (int j = 0; j < 4; j++) {
                node.client(HOME).acquire(1);
            }
            time.advance(MILLI);
        }
        assertThat(store.drawn()).isBetween(201L, 250L);
        time.advance(Duration.ofMillis(40));
        assertThat(store.drawn()).isEqualTo(200);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void loneRequest_costsItsNodeOneTokenAndNoMore() {
        Throttle node = node(settings().withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(10_000)));
        for (int i = 0; i < 100; i++) {
            assertThat(passed(node.client(HOME).acquire(1))).isTrue();
            time.advance(SECOND);
        }
        assertThat(store.drawn()).isEqualTo(100);
        assertThat(time.wakeUps()).isZero();
    }

    /** The other node has a thousand requests in the queue, and draws no more than for a single request. */
    @Test
    void callerOfANodeWithAThousandWaiting_doesNotDelayThoseOfAnother() {
        store.latency(MILLI);
        List<Throttle> nodes = nodes(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000))
                .withWaiting(LONG));
        for (int i = 0; i < 5_000; i++) {
            nodes.get(0).client(HOME).acquire(1);
        }
        time.advance(SECOND);
        for (int i = 0; i < 20; i++) {
            CompletableFuture<ThrottleResult> other =
                    nodes.get(1).client(source(i)).acquire(1);
            time.advance(Duration.ofMillis(60));
            assertThat(passed(other)).isTrue();
        }
    }

    @Test
    void nodesWithEndlessQueues_getTheSame() {
        store.latency(MILLI);
        List<List<Download>> all = new ArrayList<>();
        for (Throttle node : nodes(settings()
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(1_000_000))
                .withWaiting(LONG))) {
            List<Download> here = new ArrayList<>();
            for (int i = 0; i < 20 + 50 * all.size(); i++) {
                here.add(new Download(node.client(source(i)), 1_000).begin());
            }
            all.add(here);
        }
        time.advance(SECOND.multipliedBy(10));
        for (List<Download> here : all) {
            long bytes =
                    here.stream().mapToLong(each -> each.passed().longValue()).sum();
            assertThat(bytes).isCloseTo(10_000_000 / NODES, Percentage.withPercentage(5));
        }
    }

    @Test
    void slowRate_givesEachTokenToOneNode() {
        store.latency(MILLI);
        List<Throttle> nodes = nodes(settings()
                .withRate(ThrottleScope.GLOBAL, new BucketRate(1, Duration.ofMinutes(1), 1))
                .withWaiting(LONG));
        List<CompletableFuture<ThrottleResult>> results = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            results.add(nodes.get(i % NODES).client(source(i)).acquire(1));
        }
        time.advance(Duration.ofMinutes(20).plusSeconds(10));
        assertThat(passed(results)).isEqualTo(21);
        // Each node asks when a token is near, and every ten seconds.
        assertThat(store.draws()).isLessThan(20 * NODES * 8);
    }

    @Test
    void changedRate_holdsAtOnceForThoseThatWait() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1))
                .withWaiting(LONG));
        node.client(HOME).acquire(1);
        CompletableFuture<ThrottleResult> waiting = node.client(HOME).acquire(1);
        time.advance(Duration.ofMinutes(1));
        assertThat(waiting).isNotDone();
        node.changeRate(ThrottleScope.SOURCE, new BucketRate(10, SECOND, 5));
        time.advance(Duration.ofMillis(100));
        assertThat(passed(waiting)).isTrue();
    }

    @Test
    void promisesOfASlowerRate_doNotHoldUpTheFasterOne() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, new BucketRate(1, SECOND, 1))
                .withWaiting(LONG));
        List<CompletableFuture<ThrottleResult>> results = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            results.add(node.client(HOME).acquire(1));
        }
        node.changeRate(ThrottleScope.SOURCE, BucketRate.perSecond(1_000));
        time.advance(Duration.ofMillis(100));
        assertThat(passed(results)).isEqualTo(50);
    }

    @Test
    void sourcesWithoutEnd_drawNoMoreThanTheyUse_andAreForgotten() {
        Throttle node = node(settings()
                .withRate(ThrottleScope.SOURCE, BucketRate.perSecond(100))
                .withMaxBuckets(100));
        for (int i = 0; i < 10_000; i++) {
            node.client(source(i)).acquire(1);
        }
        assertThat(node.tracked(ThrottleScope.SOURCE)).isLessThanOrEqualTo(100);
        assertThat(store.drawn()).isEqualTo(10_000);
        assertThat(time.wakeUps()).isZero();
    }

    @Test
    void otherKey_isAnotherThrottle_forCallersAndSources() {
        ThrottleSettings one = settings().withRate(ThrottleScope.SOURCE, new BucketRate(1, LONG, 1));
        Throttle other = SharedThrottles.in(store, Secret.of("o".repeat(32)), time, ThrottleListener.NONE)
                .throttle(one);
        assertThat(passed(node(one).client(HOME).acquire(1))).isTrue();
        assertThat(passed(node(one).client(HOME).acquire(1))).isFalse();
        assertThat(passed(other.client(HOME).acquire(1))).isTrue();
        assertThatThrownBy(() -> SharedThrottles.in(store, Secret.of("short"), time, ThrottleListener.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("32");
    }
}
