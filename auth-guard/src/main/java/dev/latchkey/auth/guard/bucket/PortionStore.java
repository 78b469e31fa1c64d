package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Keeps the buckets of throttles that several nodes share. A node draws tokens in portions, some of them ahead of need, so that a busy throttle costs a
 * hundred calls in a second and not one for each request.
 *
 * <p>A bucket that was never used is full. It may be overdrawn: a portion that is not there yet is promised, and the next one is promised for later. So
 * nodes that want more than there is are served in the order of their calls, and none has to call twice.
 *
 * <p>A failed stage means that the store is down; stages may complete on any thread. Rates change while running. A bucket is identified by a name and a
 * key. The rate of its last call applies: the spent share stays spent, and an overdraft is forgotten. Safe for use by any number of threads.
 *
 * <p>A node waits 50 milliseconds for a portion; what comes later it gives back. {@code PortionStoreContract} tests a store.
 */
public interface PortionStore {

    /** Takes a portion, or promises it, or does neither. */
    CompletionStage<Portion> draw(Bucket bucket, Wish wish);

    /** Puts tokens back, up to what the bucket holds. */
    CompletionStage<?> giveBack(Bucket bucket, long tokens);

    /**
     * A bucket and its rate.
     *
     * @param name 1 to 100 of {@code [a-z0-9-]}; buckets of different names never meet, whatever their keys
     * @param key whose it is
     * @param rate what it holds, and how fast it fills
     */
    record Bucket(String name, BucketKey key, BucketRate rate) {

        /** In how long an empty one is full. */
        public Duration fullIn() {
            return Duration.ofNanos(
                    Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst(), rate.tokens()));
        }
    }

    /**
     * What a node wants. If the bucket has {@code least} tokens, the node gets all there are, up to {@code most}, at once. Otherwise {@code least} are
     * promised for later, unless that takes longer than {@code longestWait}.
     *
     * @param least at least 1
     * @param most not below {@code least}
     * @param longestWait how far away a promise may be; zero if only tokens that are there are of use
     */
    record Wish(long least, long most, Duration longestWait) {

        /** @throws IllegalArgumentException if it is for nothing, or no time */
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
     * @param tokens none if they would take too long
     * @param after how long it is until these tokens may be used; where there are none, until there would be the least that was wanted
     * @param left in the bucket, for others
     */
    record Portion(long tokens, Duration after, long left) {}
}
