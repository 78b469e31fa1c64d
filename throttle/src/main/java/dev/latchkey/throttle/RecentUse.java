package dev.latchkey.throttle;

/**
 * The number of tokens used in the last interval, the best estimate for the next interval. Guarded by its owner's lock.
 */
final class RecentUse {

    private final long intervalNanos;
    private long begun;
    private long now;
    private long before;

    RecentUse(long intervalNanos, long nanoTime) {
        this.intervalNanos = intervalNanos;
        this.begun = nanoTime;
    }

    void count(long tokens, long nanoTime) {
        moveOn(nanoTime);
        now += tokens;
    }

    /** The use of the last whole interval, or of the current interval if higher. */
    long tokens(long nanoTime) {
        moveOn(nanoTime);
        return Math.max(before, now);
    }

    void forget() {
        before = 0;
        now = 0;
    }

    private void moveOn(long nanoTime) {
        long elapsed = nanoTime - begun;
        if (elapsed >= intervalNanos) {
            before = elapsed < 2 * intervalNanos ? now : 0;
            now = 0;
            begun = nanoTime;
        }
    }
}
