package dev.latchkey.auth.guard;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of a throttled endpoint; made once per request by {@link Throttle#client}. Safe for use by any number of threads. */
public final class ThrottleClient {

    private final Throttle throttle;

    @Nullable
    private final BucketKey principal;

    private final BucketKey source;

    ThrottleClient(Throttle throttle, @Nullable BucketKey principal, BucketKey source) {
        this.throttle = throttle;
        this.principal = principal;
        this.source = source;
    }

    /**
     * Asks for passage at this cost.
     *
     * @param cost at least 1: requests, or bytes. Small chunks make a smooth flow: what costs more than a bucket holds waits
     *     until all of it was collected
     * @return completes at once if all buckets have enough, which is worth a look before depending on it: a loop over
     *     completed stages would otherwise become a recursion. Later completed by a timer thread that all share: what depends
     *     on it must be short, or use the {@code Async} methods. Cancelling it gives everything back
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public CompletableFuture<Passage> acquire(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("A passage costs at least 1, got " + cost);
        }
        return new ThrottlePassing(throttle, this, cost).begin();
    }

    @Nullable
    BucketKey principal() {
        return principal;
    }

    BucketKey source() {
        return source;
    }

    /** Whom the global bucket gives a turn to. */
    BucketKey identity() {
        return principal != null ? principal : source;
    }
}
