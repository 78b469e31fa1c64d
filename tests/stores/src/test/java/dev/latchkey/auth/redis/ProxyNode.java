package dev.latchkey.auth.redis;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.RemoteAsyncBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A node with Bucket4j's proxy over Lettuce, which compares and swaps the bucket. Time is by the node's clock. */
final class ProxyNode implements MeasuredNode {

    /** As long as a throttle waits for its store. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private static final byte[] KEY = "measured".getBytes(StandardCharsets.US_ASCII);

    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(Duration.ofMillis(50)))
            .build();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final RedisClient client;
    private final AsyncBucketProxy bucket;
    private final MeasuredRule rule;

    private ProxyNode(int port, MeasuredRule rule, Optional<Optimization> optimization, Duration ahead) {
        this.rule = rule;
        this.client = RedisClient.create(resources, RedisURI.create("127.0.0.1", port));
        RemoteAsyncBucketBuilder<byte[]> builder = Bucket4jLettuce.casBasedBuilder(client)
                .requestTimeout(PATIENCE)
                .clientClock(new Clock(ahead))
                .build()
                .asAsync()
                .builder();
        optimization.ifPresent(builder::withOptimization);
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(rule.rate().burst())
                        .refillGreedy(rule.rate().tokens(), rule.rate().per()))
                .build();
        this.bucket = builder.build(KEY, () -> CompletableFuture.completedFuture(configuration));
    }

    /** A node that asks Redis for each request. */
    static ProxyNode plain(int port, MeasuredRule rule) {
        return new ProxyNode(port, rule, Optional.empty(), Duration.ZERO);
    }

    /** @param ahead how far this node's clock is ahead */
    static ProxyNode plain(int port, MeasuredRule rule, Duration ahead) {
        return new ProxyNode(port, rule, Optional.empty(), ahead);
    }

    /** A node that sends the requests of a moment together. */
    static ProxyNode batching(int port, MeasuredRule rule) {
        return new ProxyNode(port, rule, Optional.of(Optimizations.batching()), Duration.ZERO);
    }

    /** A node that passes as much as a portion, and tells Redis afterwards. */
    static ProxyNode delaying(int port, MeasuredRule rule) {
        DelayParameters portion = new DelayParameters(rule.rate().burst(), Duration.ofMillis(10));
        return new ProxyNode(port, rule, Optional.of(Optimizations.delaying(portion)), Duration.ZERO);
    }

    @Override
    public CompletableFuture<Boolean> acquire() {
        return rule.waits()
                ? bucket.asScheduler().tryConsume(rule.cost(), rule.longestWait(), timer)
                : bucket.tryConsume(rule.cost());
    }

    @Override
    public long timesAlone() {
        return 0;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.shutdown(0, 0, TimeUnit.SECONDS);
        Object unused = resources.shutdown(0, 0, TimeUnit.SECONDS);
    }

    private record Clock(Duration ahead) implements TimeMeter {

        @Override
        public long currentTimeNanos() {
            return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + ahead.toMillis());
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
