package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of a throttled endpoint; made once per request by {@link Throttle#client}. Safe for use by any number of threads. */
public final class ThrottleClient {

    private final Throttle throttle;

    @Nullable
    private final BucketKey principal;

    @Nullable
    private final BucketKey source;

    private final BucketKey identity;

    /** @param identity the client to whom a bucket gives a turn */
    ThrottleClient(Throttle throttle, @Nullable BucketKey principal, @Nullable BucketKey source, BucketKey identity) {
        this.throttle = throttle;
        this.principal = principal;
        this.source = source;
        this.identity = identity;
    }

    /**
     * Asks the throttle for tokens.
     *
     * @param cost at least 1: requests, or bytes. Small chunks make a smooth flow: what costs more than a bucket holds waits until all of it was
     *     collected
     * @return completes at once if all buckets have enough here. Look at that before you depend on it: a loop over completed futures would otherwise
     *     become a recursion. If it completes later, it does so on a timer thread that all share, or on one of the store's that nodes share; so what
     *     depends on it must be short, or use the {@code Async} methods. Cancelling it gives everything back
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public CompletableFuture<ThrottleResult> acquire(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("A cost is at least 1, got " + cost);
        }
        return new ThrottleAcquisition(throttle, this, cost).begin();
    }

    @Nullable
    BucketKey principal() {
        return principal;
    }

    @Nullable
    BucketKey source() {
        return source;
    }

    /** The client to whom a bucket gives a turn. */
    BucketKey identity() {
        return identity;
    }
}
