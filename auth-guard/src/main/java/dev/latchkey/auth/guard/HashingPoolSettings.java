package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * How large a {@link HashingPool} is.
 *
 * @param threads that hash; at least 1
 * @param maxWait how long a hash may take from being asked for to being done, as far as that can be foretold; one that could
 *     not begin within it is not begun
 * @param maxQueued how many may wait at most, whatever the estimate says
 * @param memoryBytes that running hashes may allocate together
 * @param knownShare the part of the places that only known sources get, 0 to less than 1; at least one place unless 0
 * @param firstEstimate of how long a hash takes, until one was measured
 */
public record HashingPoolSettings(
        int threads, Duration maxWait, int maxQueued, long memoryBytes, double knownShare, Duration firstEstimate) {

    private static final int DEFAULT_MAX_QUEUED = 1_000;
    private static final double DEFAULT_KNOWN_SHARE = 0.2;

    /** @throws IllegalArgumentException if a value is out of its range; the message names it */
    public HashingPoolSettings {
        require(threads >= 1, "threads must be at least 1", threads);
        require(maxQueued >= 1, "maxQueued must be at least 1", maxQueued);
        require(memoryBytes >= 1, "memoryBytes must be at least 1", memoryBytes);
        require(knownShare >= 0 && knownShare < 1, "knownShare must be from 0 to less than 1", knownShare);
        Durations.requirePositive(maxWait, "maxWait");
        Durations.requirePositive(firstEstimate, "firstEstimate");
    }

    /**
     * Half of the processors, 500 ms, a quarter of the heap, a fifth of the places for known sources.
     *
     * <p>Fewer threads than processors, so that a flood of logins leaves at least half of the machine to everything else.
     */
    public static HashingPoolSettings defaults() {
        Runtime runtime = Runtime.getRuntime();
        return new HashingPoolSettings(
                Math.max(1, runtime.availableProcessors() / 2),
                Duration.ofMillis(500),
                DEFAULT_MAX_QUEUED,
                runtime.maxMemory() / 4,
                DEFAULT_KNOWN_SHARE,
                Duration.ofMillis(100));
    }

    public HashingPoolSettings withThreads(int threads) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    public HashingPoolSettings withMaxWait(Duration maxWait) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    public HashingPoolSettings withMaxQueued(int maxQueued) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    public HashingPoolSettings withMemoryBytes(long memoryBytes) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    public HashingPoolSettings withKnownShare(double knownShare) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    public HashingPoolSettings withFirstEstimate(Duration firstEstimate) {
        return new HashingPoolSettings(threads, maxWait, maxQueued, memoryBytes, knownShare, firstEstimate);
    }

    private static void require(boolean holds, String rule, Object given) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", got " + given);
        }
    }
}
