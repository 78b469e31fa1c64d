package dev.latchkey.throttle;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * What a node remembers of a shared bucket that was empty when it asked: since when, and when it asks again. Instants are of the guard's clock, and
 * pauses in nanoseconds. For one thread at a time.
 */
final class EmptyBucket {

    private static final long SHORTEST_PAUSE = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(10).toNanos();

    /** How long an empty bucket is taken to be empty, at most. */
    private final long interval;

    private BucketRate rate;

    private long askAgainAt;

    /** The instant at which the store has nothing, past or to come, by its last answer. */
    private long emptyAt;

    EmptyBucket(BucketRate rate, long interval, long now) {
        this.rate = rate;
        this.interval = interval;
        this.askAgainAt = now;
        this.emptyAt = now;
    }

    /** Changes the rate. What the store said of the old one holds no longer, so it is asked at once. */
    void change(BucketRate changed, long now) {
        rate = changed;
        askAgainAt = now;
    }

    /** Notes that the store has given its last token. */
    void emptied(long now) {
        emptySince(now, now);
    }

    /** Notes that the store had not even the least that was wanted, and will have it after this pause. */
    void denied(long least, long pause, long now) {
        emptySince(now + Math.max(SHORTEST_PAUSE, pause) - nanosOf(least), now);
    }

    private void emptySince(long since, long now) {
        emptyAt = since;
        long pause = Math.max(refilling(), since + nanosOf(1) - now);
        askAgainAt = now + Math.min(pause, interval);
    }

    /** Notes that the store promises nothing before this pause is over. */
    void pause(long nanos, long now) {
        askAgainAt = now + Math.max(SHORTEST_PAUSE, Math.min(nanos, LONGEST_PAUSE));
    }

    /** Zero or less where the store may be asked now. */
    long nanosUntilAsked(long now) {
        return askAgainAt - now;
    }

    /** How long it is until the bucket has so many tokens, if nobody else takes any. */
    long nanosUntil(long tokens, long now) {
        return Math.max(1, emptyAt + nanosOf(tokens) - now);
    }

    /**
     * The time in which half of the bucket fills, or half of a portion. In a flood the node then asks for several tokens at a time, and none is lost
     * meanwhile.
     */
    private long refilling() {
        return Math.min(nanosOf(rate.burst()), SharedTokens.PORTION_NANOS) / 2;
    }

    private long nanosOf(long tokens) {
        return Durations.scaled(Durations.saturatedNanos(rate.per()), tokens, rate.tokens());
    }
}
