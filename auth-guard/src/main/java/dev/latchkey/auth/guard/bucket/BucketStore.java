package dev.latchkey.auth.guard.bucket;

import java.util.concurrent.CompletionStage;

/**
 * Where buckets are kept: {@link LocalBucketStore} for one process, or a store that several nodes share.
 *
 * <p>A bucket that was never used is full. Futures, since a shared store is across a network and no thread shall wait for it;
 * they may complete on any thread. A failed one means that the store is down, which is never taken for
 * a refusal: limits then become local. Safe for use by any number of threads.
 *
 * <p>Policies change while running. A bucket, which is a policy's name and a key, is under the policy that it was asked with
 * last; when that has other windows, as many of them, the share of each that was spent stays spent.
 */
public interface BucketStore {

    /**
     * The same buckets, for one login: it waits for all its questions together no longer than others wait for one. A store that is in this process has
     * nobody waiting, and is the same for all, which is the default.
     */
    default BucketStore forOneLogin() {
        return this;
    }

    /** Takes one token from this bucket, if each of its windows has one. */
    CompletionStage<BucketTake> take(BucketPolicy policy, BucketKey key);

    /** Puts tokens back, in each window and up to what it holds. */
    CompletionStage<?> giveBack(BucketPolicy policy, BucketKey key, long tokens);

    /**
     * Says that buckets of this name will be asked with this policy from now on. Those that exist should come under it at
     * once, so that they do not refill at the old rate until they are asked next, which is all that happens by default.
     */
    default void changed(BucketPolicy policy) {}
}
