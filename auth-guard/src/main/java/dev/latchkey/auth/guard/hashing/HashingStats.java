package dev.latchkey.auth.guard.hashing;

import java.time.Duration;

/**
 * The state and totals of {@link HashingPermits}. The counts of ended hashes only grow.
 *
 * @param atOnce the largest number of concurrent hashes
 * @param running hashes now
 * @param waiting for a permit now
 * @param memoryInUse the stated memory of running hashes, in bytes
 * @param estimate of a hash's time, from the last measurements
 * @param completed hashes that returned a value, for right and wrong passwords
 * @param failed hashes that ended with an exception; not counted as completed
 * @param refusedFull refused at once: not enough time, or too many waiting threads
 * @param refusedLate refused after the wait, because the time was over
 * @param abandoned not started, because the caller left or no thread could compute the hash
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
