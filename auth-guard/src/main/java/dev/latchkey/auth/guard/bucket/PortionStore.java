package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of throttles that several nodes share. A node draws tokens in portions, some of them ahead of need, so that a busy throttle costs
 * a hundred calls in a second and not one for each request.
 *
 * <p>A bucket that was never used is full. It may be overdrawn: where the tokens are not there yet the portion is promised, and the next one is
 * promised for later. So nodes that want more than there is are served in the order of their calls, and none has to call twice.
 *
 * <p>A failed stage means that the store is down; stages may complete on any thread. Rates change while running. A name and a key identify a bucket,
 * and the rate of its last call applies to it: the spent share stays spent, and an overdraft is forgotten. Safe for use by any number of threads.
 *
 * <p>A node waits 50 milliseconds for a portion; what comes later it gives back. {@code PortionStoreContract} tests a store.
 */
public interface PortionStore {

    /**
     * Takes a portion, or promises it, or does neither.
     *
     * @param bucket to draw from, with its rate as it is now
     * @param wish how much, and how soon
     * @return completes with what the node got, never with null; exceptionally if the store is down
     */
    CompletionStage<Portion> draw(Bucket bucket, Wish wish);

    /**
     * Puts tokens back, up to what the bucket holds.
     *
     * @param bucket they were drawn from, with its rate as it is now
     * @param tokens at least 1
     * @return completes when they are back, with any value; exceptionally if the store is down
     */
    CompletionStage<?> giveBack(Bucket bucket, long tokens);

    /**
     * A bucket and its rate.
     *
     * @param name 1 to 100 of {@code [a-z0-9-]}; buckets of different names never meet, whatever their keys
     * @param key whose it is
     * @param rate what it holds, and how fast it fills
     */
    record Bucket(String name, BucketKey key, BucketRate rate) {

        /**
         * How long an empty bucket takes to be full. To forget one that was left alone for so long changes nothing.
         *
         * @return by its rate and burst
         */
        public Duration fullIn() {
            return Duration.ofNanos(
                    Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst(), rate.tokens()));
        }
    }

    /**
     * What a node wants. If the bucket has {@code least} tokens, the node gets all there are, up to {@code most}, at once. Otherwise {@code least}
     * are promised for later, unless that takes longer than {@code longestWait}.
     *
     * @param least at least 1
     * @param most not below {@code least}
     * @param longestWait how far away a promise may be; zero if only tokens that are there are of use
     */
    record Wish(long least, long most, Duration longestWait) {

        /**
         * @param least at least 1
         * @param most not below {@code least}
         * @param longestWait not negative
         * @throws IllegalArgumentException if it is for no token, for fewer at most than at least, or within a negative time
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
     * What a node got.
     *
     * @param tokens that it may use; zero if the least that was wanted would take too long
     * @param after how long it is until these tokens may be used; where there are none, until the bucket would have the least that was wanted
     * @param left in the bucket, for others
     */
    record Portion(long tokens, Duration after, long left) {}
}
