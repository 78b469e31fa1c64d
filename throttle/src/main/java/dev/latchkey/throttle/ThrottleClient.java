package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller of a throttled endpoint, created once per request by {@link Throttle#client}. Safe for use by any number
 * of threads.
 */
public final class ThrottleClient {

    private final Throttle throttle;

    @Nullable
    private final BucketKey principal;

    @Nullable
    private final BucketKey source;

    private final BucketKey identity;

    /** @param identity the client for turns at a bucket */
    ThrottleClient(Throttle throttle, @Nullable BucketKey principal, @Nullable BucketKey source, BucketKey identity) {
        this.throttle = throttle;
        this.principal = principal;
        this.source = source;
        this.identity = identity;
    }

    /**
     * Asks the throttle for tokens.
     *
     * @param cost at least 1: requests, or bytes. Small chunks give a smooth flow: a cost above a bucket's size waits
     *     until all tokens are collected
     * @return completes at once if all buckets on this node have enough tokens. Check for completion first: a chain of
     *     completed futures would become a recursion. A later completion runs on a shared timer thread, on a thread of
     *     the shared store, or on the thread of another request. Dependent actions must be short or use the {@code
     *     Async} methods. Cancelling the future returns all tokens
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public CompletableFuture<ThrottleResult> acquire(long cost) {
        return limit(cost).ask();
    }

    /**
     * Asks the throttle for tokens, and never waits for tokens, whatever the settings of the throttle are.
     *
     * @param cost as for {@link #acquire}; a cost above a bucket's size counts as a full bucket
     * @return as of {@link #acquire}: rejected if too few tokens are there, or if other requests wait for the bucket. A
     *     shared throttle still waits for the answer of its store
     * @throws IllegalArgumentException if the cost is less than 1
     */
    public CompletableFuture<ThrottleResult> acquireWithoutWait(long cost) {
        return limitWithoutWait(cost).ask();
    }

    /** The throttle as a limit of a single acquisition that waits according to the settings. */
    Acquisition.Limit limit(long cost) {
        return limit(cost, throttle.settings().shortage());
    }

    Acquisition.Limit limitWithoutWait(long cost) {
        return limit(cost, Shortage.REFUSES);
    }

    private Acquisition.Limit limit(long cost, Shortage shortage) {
        if (cost < 1) {
            throw new IllegalArgumentException("A cost is at least 1, got " + cost);
        }
        return new ThrottleAcquisition(throttle, this, shortage, cost);
    }

    @Nullable
    BucketKey principal() {
        return principal;
    }

    @Nullable
    BucketKey source() {
        return source;
    }

    /** The client for turns at a bucket. */
    BucketKey identity() {
        return identity;
    }
}
