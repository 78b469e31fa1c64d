package dev.latchkey.auth.cache;

import java.time.Duration;

/**
 * How long and how many. Immutable; {@link #defaults()}, then {@code with...} for what should differ.
 *
 * @param idleExpiry an entry that was not used for this long is gone; where it exceeds the absolute expiry, that
 *     decides
 * @param absoluteExpiry an entry that is this old is gone, however often it was used
 * @param jitter the share of the absolute expiry, 0 to 0.5, by which an entry's own may be shorter, chosen at random:
 *     accounts that logged in together do not all hash again together. Never longer
 * @param maximumSize entries in all; the least valuable ones make room
 * @param maximumPerStoredHash entries of one stored hash: an encoder that accepts several passwords for one hash
 *     (BCrypt ignores what follows 72 bytes) cannot fill the cache with one account
 * @param fastLoad an encoder that answers in less than this is not cached, since a hit costs nearly as much; zero
 *     caches all of them
 */
public record CredentialCacheSettings(
        Duration idleExpiry,
        Duration absoluteExpiry,
        double jitter,
        int maximumSize,
        int maximumPerStoredHash,
        Duration fastLoad) {

    /** Beyond this a cache of digests would be a second, weaker password store. */
    static final Duration LONGEST = Duration.ofHours(24);

    private static final double MOST_JITTER = 0.5;
    private static final int MOST_PER_STORED_HASH = 64;
    private static final int MOST_ENTRIES = 100_000_000;

    private static final CredentialCacheSettings DEFAULTS = new CredentialCacheSettings(
            Duration.ofMinutes(10), Duration.ofMinutes(60), 0.1, 10_000, 8, Duration.ofNanos(20_000));

    /**
     * @param idleExpiry an entry that was not used for this long is gone; where it exceeds the absolute expiry, that decides
     * @param absoluteExpiry an entry that is this old is gone, however often it was used
     * @param jitter the share of the absolute expiry, 0 to 0.5, by which an entry's own may be shorter, chosen at random: accounts that logged in
     *     together do not all hash again together. Never longer
     * @param maximumSize entries in all; the least valuable ones make room
     * @param maximumPerStoredHash entries of one stored hash: an encoder that accepts several passwords for one hash (BCrypt ignores what follows 72
     *     bytes) cannot fill the cache with one account
     * @param fastLoad an encoder that answers in less than this is not cached, since a hit costs nearly as much; zero caches all of them
     * @throws IllegalArgumentException if a value is out of its range; the message names both
     */
    public CredentialCacheSettings {
        requireExpiry("idle", idleExpiry);
        requireExpiry("absolute", absoluteExpiry);
        if (!(jitter >= 0 && jitter <= MOST_JITTER)) {
            throw new IllegalArgumentException("The jitter must be from 0 to " + MOST_JITTER + ", got " + jitter);
        }
        requireRange("maximum size", maximumSize, MOST_ENTRIES);
        requireRange("maximum per stored hash", maximumPerStoredHash, MOST_PER_STORED_HASH);
        if (fastLoad.isNegative() || fastLoad.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The fast load must be from zero to " + LONGEST + ", got " + fastLoad);
        }
    }

    /**
     * Idle 10 minutes, absolute 60 minutes less up to a tenth, 10,000 entries, 8 per stored hash, 20 microseconds.
     *
     * @return settings as a service has that says nothing
     */
    public static CredentialCacheSettings defaults() {
        return DEFAULTS;
    }

    /**
     * The same with another idle expiry.
     *
     * @param idleExpiry an entry that nobody asked for during it is forgotten; positive, at most 24 hours
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withIdleExpiry(Duration idleExpiry) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * The same with another absolute expiry.
     *
     * @param absoluteExpiry an entry of this age is forgotten, however often it was asked for; positive, at most 24 hours
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withAbsoluteExpiry(Duration absoluteExpiry) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * The same with another jitter.
     *
     * @param jitter the share of the absolute expiry by which it is shortened at most, at random; 0 to 0.5
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withJitter(double jitter) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * The same with another size.
     *
     * @param maximumSize entries in all, 1 to 100,000,000
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withMaximumSize(int maximumSize) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * The same with another number of entries for each stored hash.
     *
     * @param maximumPerStoredHash 1 to 64
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withMaximumPerStoredHash(int maximumPerStoredHash) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * The same with another bound below which an encoder is not cached.
     *
     * @param fastLoad zero, which caches all, to 24 hours
     * @return others; these stay as they are
     * @throws IllegalArgumentException if it is out of its range
     */
    public CredentialCacheSettings withFastLoad(Duration fastLoad) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    private static void requireExpiry(String which, Duration expiry) {
        if (expiry.isNegative() || expiry.isZero() || expiry.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The " + which + " expiry must be positive and at most " + LONGEST + ", got " + expiry);
        }
    }

    private static void requireRange(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("The " + what + " must be from 1 to " + most + ", got " + value);
        }
    }
}
