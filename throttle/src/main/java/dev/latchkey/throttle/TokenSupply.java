package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketRate;

/** The place where a {@link QueuedBucket} takes its tokens from. All calls are made under its lock. */
sealed interface TokenSupply permits OwnTokens, SharedTokens {

    /** Stands for a time that nobody knows. The bucket is told when there is an answer. */
    long UNKNOWN = Long.MAX_VALUE;

    /**
     * What was taken.
     *
     * @param tokens zero if there were too few
     * @param left in the bucket after that
     * @param nanosUntilMore where none were taken: until there may be more, or {@link #UNKNOWN}
     */
    record Taken(long tokens, long left, long nanosUntilMore) {

        static Taken none(long nanosUntilMore) {
            return new Taken(0, 0, nanosUntilMore);
        }
    }

    /** Takes all of these tokens or none; or some of them, if whoever wants them can wait for the rest. */
    Taken take(long tokens);

    /** Puts back what was taken and is not needed. */
    void putBack(long tokens);

    /** Changes the rate. The tokens keep their proportion to what the bucket holds, so that there is no burst and nothing is lost. */
    void change(BucketRate rate);

    /**
     * Called when those that wait have taken what they could.
     *
     * @param wanted how many tokens they still want
     * @return nanoseconds until this wants to be called again, or {@link #UNKNOWN}
     */
    long settle(long wanted);
}
