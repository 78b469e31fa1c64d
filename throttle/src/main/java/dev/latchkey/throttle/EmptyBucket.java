package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * The state of a shared bucket that was empty at the last question: the time of the answer and of the next question.
 * Instants use the guard's clock, and pauses are in nanoseconds. For one thread at a time.
 */
final class EmptyBucket {

    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(10).toNanos();

    /** The longest time a bucket counts as empty. */
    private final long interval;

    private BucketRate rate;

    private long askAgainAt;

    /** The instant, past or future, when the store has no tokens, computed from its last answer. */
    private long emptyAt;

    EmptyBucket(BucketRate rate, long interval, long now) {
        this.rate = rate;
        this.interval = interval;
        this.askAgainAt = now;
        this.emptyAt = now;
    }

    /** Changes the rate. The store's answer about the old rate is no longer valid, so the store is asked at once. */
    void change(BucketRate changed, long now) {
        rate = changed;
        askAgainAt = now;
    }

    /** Notes that the store has given its last token. */
    void emptied(long now) {
        emptySince(now, now);
    }

    /** Notes that the store had fewer than {@code least} tokens, and will have them after this pause. */
    void denied(long least, long pause, long now) {
        emptySince(now + Math.max(SHORTEST_PAUSE, pause) - nanosOf(least), now);
    }

    private void emptySince(long since, long now) {
        emptyAt = since;
        long pause = Math.max(refilling(), since + nanosOf(1) - now);
        askAgainAt = now + Math.min(pause, interval);
    }

    /** Notes that the store promises nothing before the end of this pause. */
    void pause(long nanos, long now) {
        askAgainAt = now + Math.max(SHORTEST_PAUSE, Math.min(nanos, LONGEST_PAUSE));
    }

    /** Zero or less if the store may be asked now. */
    long nanosUntilAsked(long now) {
        return askAgainAt - now;
    }

    /** The time until the bucket has this many tokens, if no other node takes any. */
    long nanosUntil(long tokens, long now) {
        return Math.max(1, emptyAt + nanosOf(tokens) - now);
    }

    /**
     * The time to fill half of the bucket, or half of a portion. In a flood the node then asks for several tokens at a
     * time, without losing any.
     */
    private long refilling() {
        return Math.min(nanosOf(rate.burst()), SharedTokens.PORTION_NANOS) / 2;
    }

    private long nanosOf(long tokens) {
        return Durations.scaled(Durations.saturatedNanos(rate.per()), tokens, rate.tokens());
    }
}
