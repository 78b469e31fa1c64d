package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * How many password hashes are computed at a time.
 *
 * @param atOnce hashes at the same time, at least 1
 * @param maxWait how long a request may take until its hash has ended, as far as the estimate can tell
 * @param memoryBytes that running hashes may allocate together, at least 1
 * @param firstEstimate of how long a hash takes, until one was measured
 */
public record HashingSettings(int atOnce, Duration maxWait, long memoryBytes, Duration firstEstimate) {

    /**
     * @param atOnce hashes at the same time, at least 1
     * @param maxWait how long a request may take until its hash has ended; positive
     * @param memoryBytes that running hashes may allocate together, at least 1
     * @param firstEstimate of how long a hash takes; positive
     * @throws IllegalArgumentException if a value is out of its range; the message names it
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
     * <p>Fewer hashes than processors, so that a flood of logins leaves at least half of the machine to everything else.
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
     * Another number of permits.
     *
     * @param atOnce hashes at the same time
     * @return a changed copy
     * @throws IllegalArgumentException if it is less than 1
     */
    public HashingSettings withAtOnce(int atOnce) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Another time that a request may take.
     *
     * @param maxWait until its hash has ended
     * @return a changed copy
     * @throws IllegalArgumentException if it is not positive
     */
    public HashingSettings withMaxWait(Duration maxWait) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Another budget of memory.
     *
     * @param memoryBytes that running hashes may allocate together
     * @return a changed copy
     * @throws IllegalArgumentException if it is less than 1
     */
    public HashingSettings withMemoryBytes(long memoryBytes) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    /**
     * Another estimate to begin with. One far too long refuses the first logins of a flood, one far too short lets them wait in vain.
     *
     * @param firstEstimate of how long a hash takes
     * @return a changed copy
     * @throws IllegalArgumentException if it is not positive
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
