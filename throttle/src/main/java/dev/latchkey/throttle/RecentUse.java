package dev.latchkey.throttle;

/** How many tokens were used in the last interval, which is the best guess at what the next one will take. Its owner's lock guards it. */
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

    /** The use of the last whole interval, or of this one if that is more already. */
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
