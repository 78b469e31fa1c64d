package dev.latchkey.auth.redis;

/**
 * Detects losses in Redis with a counter of this node in Redis.
 *
 * <p>Each recording call, and the end of each read, increments the counter in the same step. After a loss, Redis
 * continues from an earlier state, of a replica, a file or a backup, or is empty. Therefore Redis always loses the
 * latest data. If Redis has lost data that this node recorded or read, Redis has also lost the node's later trace. The
 * next trace is then not higher than the remembered trace.
 *
 * <p>Several threads may ask at once: each answer is compared with the highest trace before its question was sent. Redis
 * may lose a trace while other questions are on their way, and then gives the number of the lost trace again. Without a
 * loss, all answers have different numbers. Therefore more answers than the highest number also mean a loss. A question
 * without an answer may have left a trace, and may hide such a loss. Safe for use by any number of threads.
 */
final class Traces {

    private long highest;
    private long losses;

    /** The number of answered traces; after a loss, the number of traces in Redis and of later answers. */
    private long answers;

    /** The highest known number of traces, for {@link #answered}. Read this number when the question is sent. */
    synchronized long known() {
        return highest;
    }

    /**
     * Processes an answer.
     *
     * @param known the value of {@link #known} before the question
     * @param answer the number of traces including the new trace; {@code -1 - n} if Redis has n traces and rejected the
     *     new trace
     */
    synchronized void answered(long known, long answer) {
        long left = answer < 0 ? -1 - answer : answer;
        boolean isLower = answer < 0 ? left < known : left <= known;
        answers += answer < 0 ? 0 : 1;
        if (isLower || answers > Math.max(highest, left)) {
            losses++;
            // Another thread may have detected the loss earlier.
            highest = highest < known ? Math.max(highest, left) : left;
            answers = highest;
        } else {
            highest = Math.max(highest, left);
        }
    }

    /** The number of detected losses. */
    synchronized long losses() {
        return losses;
    }
}
