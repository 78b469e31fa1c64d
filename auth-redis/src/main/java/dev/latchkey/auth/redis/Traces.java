package dev.latchkey.auth.redis;

/**
 * Tells by a counter of this node in Redis that Redis has lost something.
 *
 * <p>Each call that records, and the end of each reading, raises the counter by one, in the same step. Whatever Redis loses is what came last: it goes on from an earlier
 * state, be it that of a replica, of its file, of a backup or of nothing. So where it has lost something that this node recorded or read, it
 * has lost the trace that the node left afterwards, and the next one is no higher than what the node remembers.
 *
 * <p>Several threads may be on their way at once: an answer is compared with what was known before its question. Safe for use by any number of threads.
 */
final class Traces {

    private long highest;
    private long losses;

    /** What is known before a question. */
    synchronized long known() {
        return highest;
    }

    /**
     * The answer to it.
     *
     * @param known what {@link #known} said before it was asked
     * @param answer how many traces there are with this one; {@code -1 - n} where there are n and this one was not taken
     */
    synchronized void answered(long known, long answer) {
        long left = answer < 0 ? -1 - answer : answer;
        boolean isLost = answer < 0 ? left < known : left <= known;
        if (isLost) {
            losses++;
            // Another thread may have noticed it before.
            highest = highest < known ? Math.max(highest, left) : left;
        } else {
            highest = Math.max(highest, left);
        }
    }

    /** How often it was noticed. */
    synchronized long losses() {
        return losses;
    }
}
