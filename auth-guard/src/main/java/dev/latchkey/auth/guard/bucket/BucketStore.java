package dev.latchkey.auth.guard.bucket;

import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of login limits: {@link LocalBucketStore} in one process, other stores for several nodes.
 *
 * <p>A bucket that was never used is full. Answers are futures, since a shared store is reached over a network and no thread shall wait for it. They may
 * complete on any thread. A failed future means that the store is down, which is not a refusal: the limits then become local. Safe for use by any number
 * of threads.
 *
 * <p>Policies change while running. A bucket is identified by a policy's name and a key. The policy of its last call applies. If the windows differ from
 * those before, but not their number, the spent share of each window stays spent; with another number of windows the bucket is full again. A bucket is kept until
 * its longest window is full.
 *
 * <p>A login asks three to eleven times, one after the other, and waits 20 milliseconds for all of them together ({@link FallbackBucketStore}): a store that takes
 * longer than two for an answer is down most of the time. {@code BucketStoreContract} tests one.
 */
public interface BucketStore {

    /**
     * The same buckets for one login, whose calls together wait no longer than one call does otherwise. The default is this store, which is right for a
     * store in memory.
     */
    default BucketStore forOneLogin() {
        return this;
    }

    /** Takes one token from this bucket, if each of its windows has one. */
    CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key);

    /** Puts tokens back, in each window and up to what it holds. */
    CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens);

    /**
     * Called when the policy of this name has changed. Existing buckets should change at once, or they refill at the old rate until their next call.
     * Does nothing by default.
     */
    default void changed(BucketPolicy policy) {}
}
