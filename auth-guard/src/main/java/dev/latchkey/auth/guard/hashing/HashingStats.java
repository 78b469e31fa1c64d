package dev.latchkey.auth.guard.hashing;

import java.time.Duration;

/**
 * What {@link HashingPermits} do now and have done since they began; the counts of hashes that ended only grow.
 *
 * @param atOnce hashes at a time, at most
 * @param running hashes now
 * @param waiting for a permit now
 * @param memoryInUse by running hashes, in bytes, as they stated it
 * @param estimate of how long a hash takes, from those measured last
 * @param completed hashes that returned a value, whether the password was right or wrong
 * @param failed hashes that ended with an exception; not counted as completed
 * @param refusedFull refused at once: not to be done in time, or too many waiting
 * @param refusedLate that waited and were not begun, since their time was over
 * @param abandoned that were not begun, since the caller went away or nobody could compute them
 */
public record HashingStats(
        int atOnce,
        int running,
        int waiting,
        long memoryInUse,
        Duration estimate,
        long completed,
        long failed,
        long refusedFull,
        long refusedLate,
        long abandoned) {}
