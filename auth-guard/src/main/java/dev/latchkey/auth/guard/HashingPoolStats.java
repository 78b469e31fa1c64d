package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * What a {@link HashingPool} does now and has done since it began; the counts only grow.
 *
 * @param threads of the pool
 * @param running hashes now
 * @param queued hashes now
 * @param memoryInUse by running hashes, in bytes, as they stated it
 * @param estimate of how long a hash takes, from those measured last
 * @param completed hashes that ran to their end, whatever they found
 * @param failed hashes that ended with an exception; not counted as completed
 * @param refusedFull refused at once: not to be finished in time, or too many waiting
 * @param refusedLate accepted, and not begun since their time was over
 * @param abandoned accepted, and not begun since the caller went away
 */
public record HashingPoolStats(
        int threads,
        int running,
        int queued,
        long memoryInUse,
        Duration estimate,
        long completed,
        long failed,
        long refusedFull,
        long refusedLate,
        long abandoned) {}
