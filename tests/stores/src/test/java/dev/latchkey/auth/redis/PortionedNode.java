package dev.latchkey.auth.redis;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.Throttle;
import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** A node with portions, as in services. */
final class PortionedNode implements MeasuredNode {

    private static final int CALLERS = 20;
    private static final PortionStore.Bucket FULL =
            new PortionStore.Bucket("start", new BucketKey(0, 0), BucketRate.perSecond(1));

    private final TestRedis redis;
    private final GuardTime time = GuardTime.start();
    private final AtomicInteger requests = new AtomicInteger();
    private final LongAdder timesAlone = new LongAdder();
    private final Throttle throttle;
    private final int cost;

    PortionedNode(int port, MeasuredRule rule) {
        this.redis = TestRedis.at(port);
        this.cost = rule.cost();
        RedisPortionStore store = RedisPortionStore.in(redis, RedisSettings.of(TestRedis.SHOP));
        // Connects before the first request, as the starter does.
        store.giveBack(FULL, 1).toCompletableFuture().join();
        this.throttle = SharedThrottles.in(store, Secret.of("k".repeat(32)), time, this::count)
                .throttle(ThrottleSettings.named("measured")
                        .withRate(ThrottleScope.GLOBAL, rule.rate())
                        .withWaiting(rule.longestWait()));
    }

    private void count(ThrottleEvent event) {
        if (event instanceof ThrottleEvent.StoreLost) {
            timesAlone.increment();
        }
    }

    @Override
    public CompletableFuture<Boolean> acquire() {
        int caller = Math.floorMod(requests.incrementAndGet(), CALLERS);
        ClientSource source = ClientSource.of("198.18.0." + caller).orElseThrow();
        return throttle.client(source).acquire(cost).thenApply(ThrottleResult.Passed.class::isInstance);
    }

    @Override
    public long timesAlone() {
        return timesAlone.sum();
    }

    @Override
    public void close() {
        time.close();
        redis.close();
    }
}
