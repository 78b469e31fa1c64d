package dev.latchkey.auth.redis;

import static dev.latchkey.auth.redis.LimitedNode.HOME;
import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with shared login limits, and a Redis that is killed and paused. */
@Timeout(120)
class SharedLimitsTest {

    private static final int NODES = 3;

    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<LimitedNode> nodes = new ArrayList<>();

    @TempDir
    private Path folder;

    private RedisProcess server;

    @BeforeEach
    void start() throws Exception {
        server = RedisProcess.started(folder);
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        nodes.forEach(LimitedNode::close);
        server.close();
    }

    private void patientNodes() {
        for (int i = 0; i < NODES; i++) {
            nodes.add(LimitedNode.patient(server.port()));
        }
    }

    @Test
    void threeNodesTogether_compareNoMoreGuessesThanOne_fromOneSource() throws Exception {
        patientNodes();
        assertThat(admitted(300, i -> node(i).fails("ann", HOME))).isEqualTo(5);
        assertThat(nodes).allSatisfy(node -> assertThat(node.changes()).isEmpty());
    }

    @Test
    void threeNodesTogether_compareNoMoreGuessesThanOne_fromManySources() throws Exception {
        patientNodes();
        int together = admitted(300, i -> node(i).fails("ann", source(i)));
        int alone;
        try (GuardTime time = GuardTime.start()) {
            LoginLimits one = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            alone = admitted(300, i -> {
                Admission admission =
                        one.reserve(new LoginAttempt("ann", source(i)), null).join();
                if (admission instanceof Admission.Admitted admitted) {
                    admitted.reservation().settle(AttemptResult.FAILED, null);
                    return true;
                }
                return false;
            });
        }
        assertThat(alone).isBetween(100, 105);
        assertThat(together).isBetween(100, alone * 110 / 100);
        assertThat(nodes).allSatisfy(node -> assertThat(node.changes()).isEmpty());
    }

    @Test
    void rightPasswords_onThreeNodes_leaveTheBucketsFull() throws Exception {
        patientNodes();
        for (int i = 0; i < 60; i++) {
            assertThat(node(i).succeeds("ann", HOME)).isTrue();
        }
        try (TestRedis redis = TestRedis.at(server.port())) {
            until(() -> limitsIn(redis).stream().noneMatch(key -> key.contains(":known")));
        }
        assertThat(nodes).allSatisfy(node -> assertThat(node.changes()).isEmpty());
    }

    @Test
    void keys_haveNoNameAndNoAddress_andAllExpire() {
        patientNodes();
        node(0).fails("ann-of-a-name", HOME);
        try (TestRedis redis = TestRedis.at(server.port())) {
            Set<String> keys = limitsIn(redis);
            assertThat(keys).hasSizeGreaterThanOrEqualTo(3).allSatisfy(key -> {
                assertThat(key).matches("latchkey:shop:limit:[a-z0-9-]{1,64}:[0-9a-f]{32}");
                assertThat(redis.commands().opsForValue().get(key)).matches("[0-9e.+ -]+");
                assertThat(redis.commands().getExpire(key, TimeUnit.SECONDS))
                        .isBetween(1L, Duration.ofDays(2).toSeconds());
            });
        }
    }

    @Test
    void bucketThatIsFullAgain_hasNoKey() {
        try (TestRedis redis = TestRedis.at(server.port())) {
            RedisBucketStore store = RedisBucketStore.in(redis, PATIENT);
            BucketPolicy soon = BucketPolicy.of("soon", LimitWindow.of(1, Duration.ofMillis(100)));
            BucketKey key = new BucketKey(1, 2);
            store.take(soon, key).toCompletableFuture().join();
            until(() -> limitsIn(redis).isEmpty());
            BucketPolicy late = BucketPolicy.of("late", LimitWindow.of(1, Duration.ofDays(1)));
            store.take(late, key).toCompletableFuture().join();
            assertThat(limitsIn(redis)).hasSize(1);
            store.giveBack(late, key, 1).toCompletableFuture().join();
            assertThat(limitsIn(redis)).isEmpty();
        }
    }

    @Test
    @Tag("faults")
    void serverThatIsPaused_delaysNoLoginForLong_localLimitsHold_andNothingIsSpentTwice() throws Exception {
        LimitedNode node = LimitedNode.at(server.port());
        nodes.add(node);
        try (TestRedis redis = TestRedis.at(server.port())) {
            Set<String> before = limitsIn(redis);
            server.pause();
            assertLimitsAreLocal(node);
            server.resume();
            until(() -> isUsedAgain(node));
            // What was asked meanwhile is answered now, and goes back.
            until(() -> limitsIn(redis).equals(before));
        }
    }

    @Test
    @Tag("faults")
    void serverThatIsKilled_delaysNoLoginForLong_localLimitsHold_andItIsUsedOnceItIsThereAgain() throws Exception {
        LimitedNode node = LimitedNode.at(server.port());
        nodes.add(node);
        server.kill();
        assertLimitsAreLocal(node);
        server.start();
        until(() -> isUsedAgain(node));
    }

    /** A busy machine may have lost it once more since. */
    private static boolean isUsedAgain(LimitedNode node) {
        List<String> changes = node.changes();
        return node.succeeds("eve", source(1))
                && changes.get(changes.size() - 1).equals("StoreFound");
    }

    /**
     * For five seconds; a single thread asks, and each delay holds the thread. The test counts the waits for Redis, and leaves
     * the duration to the machine.
     */
    private static void assertLimitsAreLocal(LimitedNode node) {
        long longest = 0;
        int admitted = 0;
        long begun = System.nanoTime();
        long end = begun + Duration.ofSeconds(5).toNanos();
        while (end - System.nanoTime() > 0) {
            long before = System.nanoTime();
            admitted += node.fails("ann", HOME) ? 1 : 0;
            longest = Math.max(longest, System.nanoTime() - before);
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - begun);
        System.out.printf(
                "Logins without Redis: %d waits in %d ms, the longest login took %d ms%n",
                node.waits().size(), elapsed.toMillis(), TimeUnit.NANOSECONDS.toMillis(longest));
        assertThat(admitted).isEqualTo(5);
        assertThat(node.changes()).containsExactly("StoreLost");
        // One login notices the outage, and one login per second asks again.
        assertThat((long) node.waits().size()).isLessThanOrEqualTo(1 + elapsed.toSeconds());
        assertThat(node.waits()).allSatisfy(wait -> assertThat(wait).isLessThanOrEqualTo(Duration.ofMillis(100)));
        assertThat(longest).isLessThan(Duration.ofSeconds(5).toNanos());
    }

    /** All nodes want one bucket with a token from time to time. */
    @Test
    void bucketThatAllNodesWantAtOnce_givesWhatItHolds_andAnswersAllOfThem() throws Exception {
        BucketPolicy hot = BucketPolicy.of("hot", LimitWindow.of(1_000, Duration.ofSeconds(1)));
        AtomicInteger taken = new AtomicInteger();
        AtomicLong asked = new AtomicLong();
        List<TestRedis> connections = new ArrayList<>();
        List<RedisBucketStore> stores = new ArrayList<>();
        double seconds;
        try {
            for (int i = 0; i < NODES; i++) {
                connections.add(TestRedis.at(server.port()));
                connections.get(i).commands().hasKey("none");
                stores.add(RedisBucketStore.in(connections.get(i), PATIENT));
                assertThat(takes(stores.get(i), hot)).isTrue();
            }
            long begun = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 3 * NODES; i++) {
                RedisBucketStore store = stores.get(i % NODES);
                running.add(threads.submit(() -> {
                    while (System.nanoTime() - begun < Duration.ofSeconds(3).toNanos()) {
                        taken.addAndGet(takes(store, hot) ? 1 : 0);
                        asked.incrementAndGet();
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            seconds = (System.nanoTime() - begun) / 1e9;
        } finally {
            connections.forEach(TestRedis::close);
        }
        System.out.printf(
                "One bucket, three nodes: %.0f questions/s, %d taken in %.2f s%n",
                asked.get() / seconds, taken.get(), seconds);
        // How much is asked for is the machine's.
        double least = Math.min((double) asked.get(), 1_000 * seconds) / 2;
        assertThat((double) taken.get()).isBetween(least, 1_000 * (seconds + 1) + 1);
    }

    private static boolean takes(RedisBucketStore store, BucketPolicy policy) {
        return store.take(policy, new BucketKey(0, 0))
                .toCompletableFuture()
                .join()
                .taken();
    }

    private LimitedNode node(int number) {
        return nodes.get(number % nodes.size());
    }

    private static ClientSource source(int number) {
        return ClientSource.of("198.18." + number / 250 + "." + number % 250).orElseThrow();
    }

    private static Set<String> limitsIn(TestRedis redis) {
        return Objects.requireNonNull(redis.commands().keys("latchkey:shop:limit:*"));
    }

    /** Of so many attempts, some at once. */
    private int admitted(int attempts, IntPredicate attempt) throws Exception {
        List<Future<Boolean>> all = new ArrayList<>();
        ExecutorService some = Executors.newFixedThreadPool(2 * NODES);
        try {
            for (int i = 0; i < attempts; i++) {
                int number = i;
                all.add(some.submit(() -> attempt.test(number)));
            }
            int admitted = 0;
            for (Future<Boolean> each : all) {
                admitted += each.get(60, TimeUnit.SECONDS) ? 1 : 0;
            }
            return admitted;
        } finally {
            some.shutdownNow();
        }
    }
}
