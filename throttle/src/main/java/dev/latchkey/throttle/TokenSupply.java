package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketRate;

/** The source of tokens for a {@link QueuedBucket}. All calls run under the lock of the bucket. */
sealed interface TokenSupply permits OwnTokens, SharedTokens {

    /** An unknown time. The bucket is notified when an answer arrives. */
    long UNKNOWN = Long.MAX_VALUE;

    /**
     * The result of a request for tokens.
     *
     * @param tokens zero if there were too few
     * @param left in the bucket afterwards
     * @param nanosUntilMore if no token was taken: the time until more, or {@link #UNKNOWN}
     */
    record Taken(long tokens, long left, long nanosUntilMore) {

        static Taken none(long nanosUntilMore) {
            return new Taken(0, 0, nanosUntilMore);
        }
    }

    /** Takes all of these tokens or none. A supply may take a part if the request can wait for the rest. */
    Taken take(long tokens);

    /** Returns tokens that are not needed. */
    void putBack(long tokens);

    /** Changes the rate. The tokens keep their share of the bucket's size, so there is no burst and no loss. */
    void change(BucketRate rate);

    /**
     * Called after the waiting tickets have taken the present tokens.
     *
     * @param wanted the number of missing tokens
     * @return nanoseconds until the next necessary call, or {@link #UNKNOWN}
     */
    long settle(long wanted);
}
