package dev.latchkey.auth.cache;

import java.time.Duration;

/**
 * What a cache did since it was made, and what it holds now. Counts only grow; they are read one after another while
 * logins go on, so sums of them may be off by those in between.
 *
 * @param hits answered without asking the encoder
 * @param missesAbsent the account had no entry
 * @param missesOther the account had entries, but not for what was presented: a wrong password, another right one, or one that
 *     had to be checked anew
 * @param missesExpired the entry's time was over
 * @param bypassed asked the encoder directly, because it is fast, or because what was presented is too long
 * @param stored entries made
 * @param notStored successes without an entry: of a dummy hash, of a fast encoder, or evicted while they were loading
 * @param evictedBySize entries that made room for other accounts
 * @param evictedByBound entries that made room for others of the same stored hash
 * @param evictedByExpiry entries whose time was over when somebody looked or the cache tidied up
 * @param evictedByRequest entries evicted through {@code evict} or {@code evictAll}
 * @param flights loads that ran, each for all who asked for the same at the same time
 * @param waiters those who waited for another's load instead of running their own
 * @param failedLoads loads that ended without a verdict
 * @param inFlight loads running now
 * @param meanLoadTime of the loads that ended in a success: what a hit saves
 * @param longestLoadTime of these
 * @param size entries now, about
 * @param maximumSize the bound on them
 * @param absoluteExpiry the settings' own
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
     * All misses.
     *
     * @return those where nothing was there, where it was something else, and where it had expired, together
     */
    public long misses() {
        return missesAbsent + missesOther + missesExpired;
    }

    /**
     * The share of hits among hits and misses, from 0 to 1; 0 before the first.
     *
     * @return 1 where every question was answered by the cache
     */
    public double hitRate() {
        long asked = hits + misses();
        return asked == 0 ? 0 : (double) hits / asked;
    }

    /**
     * What the hits would have cost: their number times the mean load time. An estimate.
     *
     * @return zero before the first load
     */
    public Duration estimatedHashTimeSaved() {
        return Duration.ofNanos((long) ((double) hits * meanLoadTime.toNanos()));
    }

    /**
     * How many cores hash all the time just to verify the active accounts once per absolute expiry: active accounts
     * times hash time divided by absolute expiry. Where it nears the number of cores there are, the cache cannot
     * carry the load, whatever its size.
     *
     * @return a number of cores, such as 0.4; zero before the first load
     */
    public double hashCores() {
        return (double) size * meanLoadTime.toNanos() / absoluteExpiry.toNanos();
    }
}
