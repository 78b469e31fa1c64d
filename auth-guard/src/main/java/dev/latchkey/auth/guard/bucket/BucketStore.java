package dev.latchkey.auth.guard.bucket;

import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of login limits: {@link LocalBucketStore} in one process, other stores for several nodes.
 *
 * <p>An unused bucket is full. Answers are futures, because a shared store needs a network, and no thread should wait
 * for the network. The futures may complete on any thread. A failed future means that the store is down. Then the login
 * is not rejected, but the limits become local. Safe for use by any number of threads.
 *
 * <p>Policies change at run time. A policy's name and a key identify a bucket, and the policy of the last call applies.
 * If the new policy has other windows, the spent share of each window stays spent. Windows correspond by position, and
 * an added window is full. A bucket is kept until all its windows are full.
 *
 * <p>The login of an unknown client asks up to eleven questions, one after the other: seven by the presented name, and
 * four by the found account. The login waits 100 milliseconds for all answers by name together, and 100 more for each
 * found account ({@link FallbackBucketStore}). A login that waited for other logins asks its questions again, with another
 * 100 milliseconds at each turn. If seven answers take longer, at 15 milliseconds each for example, the
 * store counts as down. Test a store with {@code BucketStoreContract}.
 */
public interface BucketStore {

    /**
     * The same buckets for the calls of one login up to a wait for other logins. A store with a time limit per call must limit all these calls
     * together by the same time. The default is this store, which is right for a store in memory.
     *
     * @return used by one login, only for {@link #take} and {@link #giveBack}
     */
    default BucketStore forOneLogin() {
        return this;
    }

    /**
     * Takes one token from this bucket, if each of its windows has one.
     *
     * @param policy the bucket's current policy
     * @param key of the bucket
     * @return completes with whether there was a token, never with null; exceptionally if the store is down
     */
    CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key);

    /**
     * Returns tokens to each window, up to the window's size.
     *
     * @param policy the bucket's current policy
     * @param key of the bucket
     * @param tokens at least 1
     * @return completes after the return, with any value; exceptionally if the store is down
     */
    CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens);

    /**
     * Called after a change of the policy with this name. If possible, a store should change its existing buckets at
     * once. Otherwise these buckets refill at the old rate until their next call. Does nothing by default.
     *
     * @param policy applies from now on
     */
    default void changed(BucketPolicy policy) {}
}
