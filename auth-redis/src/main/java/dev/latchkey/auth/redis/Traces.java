package dev.latchkey.auth.redis;

/**
 * Detects losses in Redis with a counter of this node in Redis.
 *
 * <p>Each recording call, and the end of each read, increments the counter in the same step. Redis always loses the
 * latest data: it continues from an earlier state of a replica, a file, a backup, or empty. If Redis has lost data that
 * this node recorded or read, Redis has also lost the node's later trace. The next trace is then not higher than the
 * remembered one.
 *
 * <p>Several threads may ask at once: each answer is compared with the knowledge before its question. Safe for use by
 * any number of threads.
 */
final class Traces {

    private long highest;
    private long losses;

    /** The knowledge before a question. */
    synchronized long known() {
        return highest;
    }

    /**
     * Processes an answer.
     *
     * @param known the value of {@link #known} before the question
     * @param answer the number of traces including this one; {@code -1 - n} if there are n and this one was rejected
     */
    synchronized void answered(long known, long answer) {
        long left = answer < 0 ? -1 - answer : answer;
        boolean isLost = answer < 0 ? left < known : left <= known;
        if (isLost) {
            losses++;
            // Another thread may have detected the loss earlier.
            highest = highest < known ? Math.max(highest, left) : left;
        } else {
            highest = Math.max(highest, left);
        }
    }

    /** The number of detected losses. */
    synchronized long losses() {
        return losses;
    }
}
