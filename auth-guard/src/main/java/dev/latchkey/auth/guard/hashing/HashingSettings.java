package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;

/**
 * How many password hashes are computed at a time.
 *
 * @param atOnce hashes; at least 1
 * @param maxWait how long a request may wait for its hash to begin and end, as far as that can be foretold
 * @param memoryBytes that running hashes may allocate together
 * @param firstEstimate of how long a hash takes, until one was measured
 */
public record HashingSettings(int atOnce, Duration maxWait, long memoryBytes, Duration firstEstimate) {

    /** @throws IllegalArgumentException if a value is out of its range; the message names it */
    public HashingSettings {
        require(atOnce >= 1, "atOnce must be at least 1", atOnce);
        require(memoryBytes >= 1, "memoryBytes must be at least 1", memoryBytes);
        Durations.requirePositive(maxWait, "maxWait");
        Durations.requirePositive(firstEstimate, "firstEstimate");
    }

    /**
     * Half of the processors, 500 ms, a quarter of the heap.
     *
     * <p>Fewer hashes than processors, so that a flood of logins leaves at least half of the machine to everything else.
     */
    public static HashingSettings defaults() {
        Runtime runtime = Runtime.getRuntime();
        return new HashingSettings(
                Math.max(1, runtime.availableProcessors() / 2),
                Duration.ofMillis(500),
                runtime.maxMemory() / 4,
                Duration.ofMillis(100));
    }

    public HashingSettings withAtOnce(int atOnce) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    public HashingSettings withMaxWait(Duration maxWait) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    public HashingSettings withMemoryBytes(long memoryBytes) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    public HashingSettings withFirstEstimate(Duration firstEstimate) {
        return new HashingSettings(atOnce, maxWait, memoryBytes, firstEstimate);
    }

    private static void require(boolean holds, String rule, Object given) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + given);
        }
    }
}
