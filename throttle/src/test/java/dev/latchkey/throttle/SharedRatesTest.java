package dev.latchkey.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.MemoryPortionStore;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rate of a shared throttle in every second, while nodes lose the store and find the store again. The test records
 * for each step which nodes apply the whole rate alone.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the listener counts the results
@Tag("long")
class SharedRatesTest {

    private static final Duration STEP = Duration.ofMillis(10);
    private static final int STEPS_OF_A_SECOND = 100;
    private static final int SECONDS = 12;

    /** A bucket of one token is idle from the token's arrival to the next request: fewer requests would lose throughput. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private static final ClientSource HOME = ClientSource.of("192.0.2.1").orElseThrow();

    private final ManualTime time = new ManualTime();
    private final MemoryPortionStore store = new MemoryPortionStore(time);

    static Stream<Arguments> nodesAndRates() {
        return Stream.of(2, 3, 5)
                .flatMap(nodes -> Stream.of(20, 200, 2_000)
                        .flatMap(rate -> Stream.of(Duration.ZERO, Duration.ofHours(1))
                                .map(waiting -> Arguments.of(nodes, rate, waiting))));
    }

    private final class Node {

        /** Made once: the digest of its address takes longer than all else that a request does here. */
        private final ThrottleClient home;

        private boolean isCut;
        private boolean isAlone;
        private long passed;

        Node(int rate, Duration waiting) {
            this.home = SharedThrottles.in(new Cut(this), Secret.of("k".repeat(32)), time, this::note)
                    .throttle(ThrottleSettings.named("downloads")
                            .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(rate))
                            .withWaiting(waiting))
                    .client(HOME);
        }

        private void note(ThrottleEvent event) {
            if (event instanceof ThrottleEvent.StoreLost) {
                isAlone = true;
            } else if (event instanceof ThrottleEvent.StoreFound) {
                isAlone = false;
            }
        }

        /** A caller that asks again at once after a pass, and after a pause otherwise. */
        void ask() {
            home.acquire(1).thenAccept(result -> {
                boolean isPassed = result instanceof ThrottleResult.Passed;
                passed += isPassed ? 1 : 0;
                time.after(isPassed ? Duration.ofNanos(1) : PAUSE, this::ask);
            });
        }
    }

    /** The store's connection of one node. */
    private final class Cut implements PortionStore {

        private final Node node;

        Cut(Node node) {
            this.node = node;
        }

        @Override
        public CompletionStage<Portion> draw(Bucket bucket, Wish wish) {
            return node.isCut
                    ? CompletableFuture.failedStage(new IllegalStateException("cut"))
                    : store.draw(bucket, wish);
        }

        @Override
        public CompletionStage<?> giveBack(Bucket bucket, long tokens) {
            return node.isCut
                    ? CompletableFuture.failedStage(new IllegalStateException("cut"))
                    : store.giveBack(bucket, tokens);
        }
    }

    /** The state after a step: the passed requests of all nodes, and which nodes were alone. */
    private record Moment(long passed, List<Boolean> alone) {

        /** The number of whole rates that the nodes apply together. */
        long rates() {
            long alone = this.alone.stream().filter(each -> each).count();
            return alone + (alone < this.alone.size() ? 1 : 0);
        }
    }

    @ParameterizedTest
    @MethodSource("nodesAndRates")
    void everySecond_hasTheRateOfTheStore_andOneMoreForEachNodeAlone(int count, int rate, Duration waiting) {
        store.latency(Duration.ofMillis(1));
        List<Node> nodes =
                Stream.generate(() -> new Node(rate, waiting)).limit(count).toList();
        // Each caller of a node asks a thousand times a second, so each node alone asks for more than the rate.
        nodes.forEach(node -> Stream.generate(() -> node).limit(1 + rate / 800).forEach(Node::ask));
        List<Moment> moments = new ArrayList<>();
        for (int step = 0; step < SECONDS * STEPS_OF_A_SECOND; step++) {
            cut(nodes, step / STEPS_OF_A_SECOND);
            time.advance(STEP);
            moments.add(new Moment(
                    nodes.stream().mapToLong(node -> node.passed).sum(),
                    nodes.stream().map(node -> node.isAlone).toList()));
        }
        assertThat(moments.stream().map(Moment::rates).distinct()).contains(1L, 2L, (long) count);
        int steady = 0;
        for (int end = 2 * STEPS_OF_A_SECOND; end < moments.size(); end++) {
            steady += assertRate(moments.subList(end - STEPS_OF_A_SECOND, end + 1), rate) ? 1 : 0;
        }
        assertThat(steady).isGreaterThan(4 * STEPS_OF_A_SECOND);
    }

    /**
     * Decision 12 has the arithmetic: a full bucket of one token is idle until the next request, with any number of nodes. At
     * twice the rate and random times, two thirds of the rate pass.
     */
    @ParameterizedTest
    @CsvSource({"2, 1, 0.667", "3, 1, 0.667", "5, 1, 0.667", "2, 2, 0.94", "3, 2, 0.94", "5, 2, 0.94"})
    void twiceTheRateAtRandomTimes_passesWhatOneBucketPasses(int count, int burst, double share) {
        store.latency(Duration.ofMillis(1));
        long seconds = 200;
        ThrottleSettings settings = ThrottleSettings.named("reports")
                .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(20).withBurst(burst));
        List<Throttle> nodes = Stream.generate(
                        () -> SharedThrottles.in(store, Secret.of("k".repeat(32)), time, ThrottleListener.NONE)
                                .throttle(settings))
                .limit(count)
                .toList();
        Throttle one = Throttle.of(settings, time);
        AtomicInteger shared = new AtomicInteger();
        AtomicInteger ofOne = new AtomicInteger();
        Random random = new Random(20);
        for (int i = 0; i < 40 * seconds; i++) {
            time.advance(Duration.ofNanos((long) (-Math.log(1 - random.nextDouble()) / 40 * 1e9)));
            nodes.get(random.nextInt(count)).client(HOME).acquire(1).thenAccept(result -> count(result, shared));
            one.client(HOME).acquire(1).thenAccept(result -> count(result, ofOne));
        }
        time.advance(STEP);
        assertThat(shared.get() / (20.0 * seconds)).isCloseTo(share, within(0.02));
        assertThat((double) shared.get()).isCloseTo(ofOne.get(), withinPercentage(2));
    }

    private static void count(ThrottleResult result, AtomicInteger passed) {
        passed.addAndGet(result instanceof ThrottleResult.Passed ? 1 : 0);
    }

    /** All answers come at the end of the pause, as from a machine with other work. */
    @ParameterizedTest
    @CsvSource({"60, PT0S", "150, PT0S", "60, PT1H", "150, PT1H"})
    void storeThatPausesOnce_leavesNoNodeAlone(int pauseMillis, Duration waiting) {
        store.latency(Duration.ofMillis(1));
        List<Node> nodes =
                Stream.generate(() -> new Node(1_000, waiting)).limit(3).toList();
        nodes.forEach(node -> Stream.generate(() -> node).limit(5).forEach(Node::ask));
        time.advance(Duration.ofSeconds(1));
        List<Long> totals = new ArrayList<>();
        for (int step = 0; step < 2 * STEPS_OF_A_SECOND; step++) {
            long left = pauseMillis - STEP.toMillis() * Math.max(0, step - STEPS_OF_A_SECOND / 2);
            store.latency(Duration.ofMillis(step < STEPS_OF_A_SECOND / 2 ? 1 : Math.max(1, left)));
            time.advance(STEP);
            totals.add(nodes.stream().mapToLong(node -> node.passed).sum());
            assertThat(nodes).noneMatch(node -> node.isAlone);
        }
        for (int end = STEPS_OF_A_SECOND; end < totals.size(); end++) {
            assertThat(totals.get(end) - totals.get(end - STEPS_OF_A_SECOND)).isBetween(950L - pauseMillis, 1_020L);
        }
    }

    /** The first node is cut for two seconds, and later all nodes for two seconds. */
    private static void cut(List<Node> nodes, int second) {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).isCut = (second >= 3 && second < 5 && i == 0) || (second >= 7 && second < 9);
        }
    }

    /** Whether no node has lost or found the store in this second. */
    private static boolean assertRate(List<Moment> second, int rate) {
        long passed = second.get(second.size() - 1).passed() - second.get(0).passed();
        boolean isSteady = second.stream().map(Moment::alone).distinct().count() == 1;
        double rates =
                second.stream().skip(1).mapToLong(Moment::rates).average().orElseThrow();
        long changes = changes(second);
        // A change adds the full bucket of a node, and moves a step at most from one count of rates to another.
        double most = 1.1 * rate * rates + changes * (2 * Math.max(1, rate / 100.0));
        assertThat((double) passed).as("%s", second).isLessThanOrEqualTo(most);
        if (isSteady) {
            assertThat((double) passed).as("%s", second).isGreaterThanOrEqualTo(0.95 * rate * rates);
        }
        return isSteady;
    }

    private static long changes(List<Moment> second) {
        long changes = 0;
        for (int i = 1; i < second.size(); i++) {
            for (int node = 0; node < second.get(i).alone().size(); node++) {
                changes += second.get(i)
                                .alone()
                                .get(node)
                                .equals(second.get(i - 1).alone().get(node))
                        ? 0
                        : 1;
            }
        }
        return changes;
    }
}
