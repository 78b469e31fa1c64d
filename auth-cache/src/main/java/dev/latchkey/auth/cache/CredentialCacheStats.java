package dev.latchkey.auth.cache;

import java.time.Duration;

/**
 * The statistics of a cache since its creation. Counts only grow. Logins continue while the counts are read one after
 * another, so sums may be slightly wrong.
 *
 * @param hits answers from the cache
 * @param missesAbsent the account had no entry
 * @param missesOther the account had entries, but none for the presented password: a wrong password, another right one,
 *     or a required new check
 * @param missesExpired the entry had expired
 * @param bypassed direct calls of the encoder, for a fast encoder or for input over the length limit
 * @param stored new entries
 * @param notStored successes without an entry: of a dummy hash, of a fast encoder, or evicted during the load
 * @param evictedBySize entries evicted for other accounts
 * @param evictedByBound entries evicted for other passwords of the same stored hash
 * @param evictedByExpiry expired entries, counted on access or on cleanup
 * @param evictedByRequest entries evicted through {@code evict} or {@code evictAll}
 * @param flights loads, each for all callers with the same question at the same time
 * @param waiters callers that waited for another caller's load
 * @param failedLoads loads that ended without a verdict
 * @param inFlight loads running now
 * @param meanLoadTime the mean time of successful loads: the saving of one hit
 * @param longestLoadTime the longest time of a successful load
 * @param size the approximate number of entries now
 * @param maximumSize the largest number of entries
 * @param absoluteExpiry the absolute expiry from the settings
 */
public record CredentialCacheStats(
        long hits,
        long missesAbsent,
        long missesOther,
        long missesExpired,
        long bypassed,
        long stored,
        long notStored,
        long evictedBySize,
        long evictedByBound,
        long evictedByExpiry,
        long evictedByRequest,
        long flights,
        long waiters,
        long failedLoads,
        long inFlight,
        Duration meanLoadTime,
        Duration longestLoadTime,
        long size,
        long maximumSize,
        Duration absoluteExpiry) {

    /**
     * The number of all misses.
     *
     * @return the sum of absent, other and expired misses
     */
    public long misses() {
        return missesAbsent + missesOther + missesExpired;
    }

    /**
     * An estimate of the saved time: the number of hits times the mean load time.
     *
     * @return zero before the first load
     */
    public Duration estimatedHashTimeSaved() {
        return Duration.ofNanos((long) ((double) hits * meanLoadTime.toNanos()));
    }

    /**
     * The number of cores needed to verify all active accounts once per absolute expiry: active accounts times hash
     * time divided by absolute expiry. If this number nears the machine's cores, no cache size is enough for the load.
     *
     * @return a number of cores, such as 0.4; zero before the first load
     */
    public double hashCores() {
        return (double) size * meanLoadTime.toNanos() / absoluteExpiry.toNanos();
    }
}
