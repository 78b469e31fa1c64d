package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * Limits on concurrent password hashes.
 *
 * @param atOnce hashes at the same time, at least 1
 * @param maxWait the longest estimated time from a request to the end of its hash
 * @param memoryBytes the total memory of running hashes, at least 1
 * @param firstEstimate the estimated time of a hash before the first measurement
 */
public record HashingSettings(int atOnce, Duration maxWait, long memoryBytes, Duration firstEstimate) {

    /**
     * @param atOnce hashes at the same time, at least 1
     * @param maxWait the longest estimated time from a request to the end of its hash; positive
     * @param memoryBytes the total memory of running hashes, at least 1
     * @param firstEstimate the estimated time of a hash; positive
     * @throws IllegalArgumentException if a value is out of its range; the message names the value
     */
    public HashingSettings {
        require(atOnce >= 1, "atOnce must be at least 1", atOnce);
        require(memoryBytes >= 1, "memoryBytes must be at least 1", memoryBytes);
        Durations.requirePositive(maxWait, "maxWait");
        Durations.requirePositive(firstEstimate, "firstEstimate");
    }

    /**
     * Half of the processors, 500 ms, a quarter of the heap, and a first estimate of 100 ms.
     *
     * <p>With fewer hashes than processors, a flood of logins leaves at least half of the machine for other work.
     *
     * @return for this machine
     */
    public static HashingSettings defaults() {
        Runtime runtime = Runtime.getRuntime();
        return new HashingSettings(
                Math.max(1, runtime.availableProcessors() / 2),
                Duration.ofMillis(500),
                runtime.maxMemory() / 4,
                Duration.ofMillis(100));
    }

    /**
     * Returns a copy with another number of permits.
     *
     * @param atOnce hashes at the same time
     * @return a changed copy
     * @throws IllegalArgumentException if the number is less than 1
     */
    public HashingSettings withAtOnce(int atOnce) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Returns a copy with another time limit for a request.
     *
     * @param maxWait until the end of its hash
     * @return a changed copy
     * @throws IllegalArgumentException if the time is not positive
     */
    public HashingSettings withMaxWait(Duration maxWait) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Returns a copy with another limit on memory.
     *
     * @param memoryBytes the total memory of running hashes
     * @return a changed copy
     * @throws IllegalArgumentException if the number is less than 1
     */
    public HashingSettings withMemoryBytes(long memoryBytes) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Returns a copy with another first estimate. A far too long estimate refuses the first logins of a flood. A far
     * too short estimate lets them wait in vain.
     *
     * @param firstEstimate the estimated time of a hash
     * @return a changed copy
     * @throws IllegalArgumentException if the time is not positive
     */
    public HashingSettings withFirstEstimate(Duration firstEstimate) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    private static void require(boolean holds, String rule, Object given) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + given);
        }
    }
}
