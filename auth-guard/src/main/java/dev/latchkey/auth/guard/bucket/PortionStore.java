package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of throttles shared by several nodes. A node draws tokens in portions, partly in advance. A busy
 * throttle then costs a hundred calls per second instead of one call per request.
 *
 * <p>An unused bucket is full. A bucket may be overdrawn: if tokens are missing, the portion is promised for later, and
 * the next portion for still later. Therefore nodes are served in the order of their calls, and no node has to call
 * twice.
 *
 * <p>A failed stage means that the store is down. Stages may complete on any thread. Rates change at run time. A name
 * and a key identify a bucket, and the rate of the last call applies: the spent share stays spent, and an overdraft is
 * forgotten. Safe for use by any number of threads.
 *
 * <p>A node waits 200 milliseconds for a portion and returns a later portion. Test a store with
 * {@code PortionStoreContract}.
 */
public interface PortionStore {

    /**
     * Takes a portion, or promises a portion, or does neither.
     *
     * @param bucket with its current rate
     * @param wish the size and the longest wait
     * @return completes with the node's portion, never with null; exceptionally if the store is down
     */
    CompletionStage<Portion> draw(Bucket bucket, Wish wish);

    /**
     * Returns tokens, up to the bucket's size.
     *
     * @param bucket the source of the tokens, with its current rate
     * @param tokens at least 1
     * @return completes after the return, with any value; exceptionally if the store is down
     */
    CompletionStage<?> giveBack(Bucket bucket, long tokens);

    /**
     * A bucket and its rate.
     *
     * @param name 1 to 100 of {@code [a-z0-9-]}; buckets with different names are always separate
     * @param key the owner
     * @param rate the size and the refill
     */
    record Bucket(String name, BucketKey key, BucketRate rate) {

        /**
         * The time from empty to full. A bucket without use for this time may be forgotten.
         *
         * @return by its rate and burst
         */
        public Duration fullIn() {
            return Duration.ofNanos(
                    Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst(), rate.tokens()));
        }
    }

    /**
     * The wish of a node. If the bucket has {@code least} tokens, the node gets all tokens up to {@code most} at once.
     * Otherwise {@code least} tokens are promised for later, unless the wait is longer than {@code longestWait}.
     *
     * @param least at least 1
     * @param most not below {@code least}
     * @param longestWait the longest wait for a promise; zero if only present tokens are useful
     */
    record Wish(long least, long most, Duration longestWait) {

        /**
         * @param least at least 1
         * @param most not below {@code least}
         * @param longestWait not negative
         * @throws IllegalArgumentException if {@code least} is below 1, {@code most} is below {@code least}, or the
         *     wait is negative
         */
        public Wish {
            if (least < 1 || most < least || longestWait.isNegative()) {
                throw new IllegalArgumentException(
                        "A portion has at least 1 token, and a wait that is not negative, got " + least + " to " + most
                                + " within " + longestWait);
            }
        }
    }

    /**
     * The portion of a node.
     *
     * @param tokens for use by the node; zero if the wait for {@code least} tokens would be too long
     * @param after the time until the tokens may be used; without tokens, the time until the bucket would have
     *     {@code least} tokens
     * @param left in the bucket, for other nodes
     */
    record Portion(long tokens, Duration after, long left) {}
}
