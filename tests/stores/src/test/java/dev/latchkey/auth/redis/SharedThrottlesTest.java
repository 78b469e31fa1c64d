package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.RedisCallback;

/** Three nodes with a shared throttle, and a Redis that is killed and paused. */
@Timeout(120)
class SharedThrottlesTest {

    private static final int NODES = 3;
    private static final long RATE = 1_000_000;
    private static final long BURST = RATE / 100;

    private static final ThrottleSettings BODIES = ThrottleSettings.named("bodies")
            .withRate(ThrottleScope.GLOBAL, BucketRate.perSecond(RATE))
            .withWaiting(Duration.ofMinutes(1));

    private static final ThrottleEvent LOST = new ThrottleEvent.StoreLost();
    private static final ThrottleEvent FOUND = new ThrottleEvent.StoreFound();

    private final List<ThrottlingNode> nodes = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        nodes.forEach(ThrottlingNode::close);
    }

    private ThrottlingNode add(ThrottlingNode node) {
        nodes.add(node);
        return node;
    }

    private void patientNodes(TestRedis redis, ThrottleSettings settings) {
        for (int i = 0; i < NODES; i++) {
            add(ThrottlingNode.patient(redis, settings));
        }
    }

    private long passed() {
        return nodes.stream().mapToLong(ThrottlingNode::passed).sum();
    }

    /** By the clock that buckets fill by. */
    private static double seconds(TestRedis redis) {
        return Objects.requireNonNull(
                        redis.connections().getConnection().serverCommands().time(TimeUnit.MICROSECONDS))
                / 1e6;
    }

    /**
     * Asks for at least three seconds of Redis's clock, until the condition is true for each node. The nodes pass only tokens that Redis gave before.
     * Therefore the rate of one node plus its burst is the limit, with timers and threads of any delay. A loaded machine passes far less than the rate, so the
     * lower limit is tested in virtual time: SharedThrottlesTest of the module throttle.
     */
    private void assertTheyPassWhatOnePasses(
            TestRedis redis, Consumer<ThrottlingNode> ask, Predicate<ThrottlingNode> isDone) {
        double begun = seconds(redis);
        nodes.forEach(ask);
        until(() -> seconds(redis) - begun > 3
                && passed() > 2 * BURST
                && nodes.stream().allMatch(isDone));
        nodes.forEach(ThrottlingNode::end);
        long passed = passed();
        double elapsed = seconds(redis) - begun;
        System.out.printf("One throttle, three nodes: %.1f %% of its rate%n", 100 * passed / (RATE * elapsed));
        assertThat((double) passed).isLessThanOrEqualTo(BURST + RATE * elapsed);
        assertThat(nodes).allSatisfy(node -> assertThat(node.changes()).isEmpty());
    }

    @Test
    void bodiesOnThreeNodes_passAtTheRateOfOne() {
        TestRedis redis = RedisServers.single();
        patientNodes(redis, BODIES);
        long before = scripts(redis);
        double begun = seconds(redis);
        assertTheyPassWhatOnePasses(redis, node -> node.askWithoutEnd(20, 1_000), node -> node.passed() > 0);
        assertThat(scripts(redis) - before).isLessThan((long) ((seconds(redis) - begun) * NODES * 150));
    }

    @Test
    void bodiesOnThreeNodes_ofACluster_passAtTheRateOfOne() {
        patientNodes(RedisServers.cluster(), BODIES);
        assertTheyPassWhatOnePasses(
                RedisServers.single(), node -> node.askWithoutEnd(20, 1_000), node -> node.passed() > 0);
    }

    @Test
    void requestsOnThreeNodes_thatAreRefusedOtherwise_passAtTheRateOfOne() {
        TestRedis redis = RedisServers.single();
        patientNodes(redis, BODIES.withWaiting(Duration.ZERO));
        // A request costs half of the bucket: also a machine that is busy asks for more than the rate.
        assertTheyPassWhatOnePasses(
                redis, node -> node.askWithoutEnd(4, (int) BURST / 2), node -> node.passed() > 0 && node.refused() > 0);
    }

    @Test
    void keys_haveNoCallerAndNoAddress_andAllExpire() throws Exception {
        TestRedis redis = RedisServers.single();
        ThrottlingNode node = add(ThrottlingNode.patient(
                redis,
                ThrottleSettings.named("api")
                        .withRate(ThrottleScope.SOURCE, new BucketRate(10, Duration.ofMinutes(10), 10))
                        .withRate(ThrottleScope.GLOBAL, new BucketRate(60, Duration.ofMinutes(10), 10))));
        node.client(1).acquire(1).get(20, TimeUnit.SECONDS);
        Set<String> keys = Objects.requireNonNull(redis.commands().keys("*"));
        // Late requests of another test may have written after this Redis was emptied.
        keys.remove("latchkey:shop:throttle:bodies-global:" + "0".repeat(32));
        assertThat(keys)
                .hasSize(2)
                .contains("latchkey:shop:throttle:api-global:" + "0".repeat(32))
                .allSatisfy(key -> {
                    assertThat(key).matches("latchkey:shop:throttle:api-(source|global):[0-9a-f]{32}");
                    assertThat(redis.commands().opsForValue().get(key)).matches("[0-9e.+ -]+");
                    assertThat(redis.commands().getExpire(key, TimeUnit.SECONDS))
                            .isBetween(1L, 60L);
                });
    }

    /** Without waiting requests: an emptied Redis also forgets what it promised to waiting requests, and the nodes use it. */
    @Test
    void redisThatIsEmptied_isAFullBucketOnce() {
        TestRedis redis = RedisServers.single();
        patientNodes(redis, BODIES.withWaiting(Duration.ZERO));
        AtomicInteger emptied = new AtomicInteger();
        double begun = seconds(redis);
        nodes.forEach(node -> node.askWithoutEnd(4, (int) BURST / 2));
        until(() -> {
            if (passed() > BURST * (1 + emptied.get())) {
                RedisServers.single();
                emptied.incrementAndGet();
            }
            return emptied.get() == 20;
        });
        nodes.forEach(ThrottlingNode::end);
        assertThat((double) passed()).isLessThanOrEqualTo(BURST * 21 + RATE * (seconds(redis) - begun));
        assertThat(nodes).allSatisfy(node -> assertThat(node.changes()).isEmpty());
    }

    @Test
    @Tag("faults")
    void serverThatIsPaused_leavesEachNodeItsOwnRate_andIsUsedAgain() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                TestRedis redis = TestRedis.at(server.port())) {
            ThrottlingNode node = begun(redis);
            server.pause();
            assertItGoesOn(node);
            server.resume();
            until(() -> last(node).equals(FOUND));
        }
    }

    @Test
    void serverThatIsKilled_leavesEachNodeItsOwnRate_andIsUsedAgain() throws Exception {
        try (RedisProcess server = RedisProcess.started(folder);
                TestRedis redis = TestRedis.at(server.port())) {
            ThrottlingNode node = begun(redis);
            server.kill();
            assertItGoesOn(node);
            server.start();
            until(() -> last(node).equals(FOUND));
        }
    }

    private ThrottlingNode begun(TestRedis redis) {
        redis.commands().hasKey("none");
        ThrottlingNode node = add(ThrottlingNode.at(redis, BODIES));
        node.askWithoutEnd(20, 1_000);
        until(() -> node.passed() > BURST);
        return node;
    }

    private static void assertItGoesOn(ThrottlingNode node) {
        until(() -> last(node).equals(LOST));
        long before = node.passed();
        until(() -> node.passed() > before + RATE);
    }

    /** FOUND, if nothing has changed. */
    private static ThrottleEvent last(ThrottlingNode node) {
        List<ThrottleEvent> changes = node.changes();
        return changes.isEmpty() ? FOUND : changes.get(changes.size() - 1);
    }

    /** How many were run so far. */
    private static long scripts(TestRedis redis) {
        String text = Objects.requireNonNull(redis.commands().execute((RedisCallback<String>) connection ->
                connection.serverCommands().info("commandstats").getProperty("cmdstat_evalsha", "calls=0,")));
        return Long.parseLong(text.replaceAll("calls=(\\d+),.*", "$1"));
    }
}
