package dev.latchkey.benchmarks.services;

import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The usual way without a throttle in front: a bucket for each client, and the request's thread waits for a token. */
final class BlockingBuckets {

    private final long bytesPerSecond;
    private final long burst;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    /** @param bytesPerSecond of each client; 0 for no such buckets */
    BlockingBuckets(long bytesPerSecond, long burst) {
        this.bytesPerSecond = bytesPerSecond;
        this.burst = burst;
    }

    boolean areThere() {
        return bytesPerSecond > 0;
    }

    void take(String client, long bytes) {
        if (areThere()) {
            buckets.computeIfAbsent(client, any -> full()).asBlocking().consumeUninterruptibly(bytes);
        }
    }

    private Bucket full() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(burst).refillGreedy(bytesPerSecond, Duration.ofSeconds(1)))
                .build();
    }
}
