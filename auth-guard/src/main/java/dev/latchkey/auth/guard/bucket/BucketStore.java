package dev.latchkey.auth.guard.bucket;

import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of login limits: {@link LocalBucketStore} in one process, other stores for several nodes.
 *
 * <p>A bucket that was never used is full. Answers are futures, since a shared store is reached over a network and no thread shall wait for it. They
 * may complete on any thread. A failed future means that the store is down, which is not a refusal: the limits then become local. Safe for use by any
 * number of threads.
 *
 * <p>Policies change while running. A policy's name and a key identify a bucket, and the policy of its last call applies to it. Where that has other
 * windows than before, but as many, the spent share of each window stays spent; with another number of windows the bucket is full again. A bucket is
 * kept until its longest window is full.
 *
 * <p>A login asks three to eleven times, one after the other, and waits 20 milliseconds for all of them together ({@link FallbackBucketStore}): a store
 * that takes longer than two for an answer is down most of the time. {@code BucketStoreContract} tests one.
 */
public interface BucketStore {

    /**
     * The same buckets for the calls of one login. A store that bounds how long a call may take bounds all of these calls together by that time. The
     * default is this store, which is right for a store in memory.
     *
     * @return used by one login, for {@link #take} and {@link #giveBack} alone
     */
    default BucketStore forOneLogin() {
        return this;
    }

    /**
     * Takes one token from this bucket, if each of its windows has one.
     *
     * @param policy of the bucket, as it is now
     * @param key of the bucket
     * @return completes with whether there was a token, never with null; exceptionally if the store is down
     */
    CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key);

    /**
     * Puts tokens back, in each window and up to what it holds.
     *
     * @param policy of the bucket, as it is now
     * @param key of the bucket
     * @param tokens at least 1
     * @return completes when they are back, with any value; exceptionally if the store is down
     */
    CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens);

    /**
     * Called when the policy of this name has changed. A store that can change its existing buckets at once should: otherwise they refill at the old
     * rate until their next call. Does nothing by default.
     *
     * @param policy that applies from now on
     */
    default void changed(BucketPolicy policy) {}
}
