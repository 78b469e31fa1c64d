package dev.latchkey.auth.cache;

import java.time.Duration;

/**
 * The expiry and size of a {@link CredentialCache}. Immutable. Start with {@link #defaults()} and change values with
 * {@code with...}.
 *
 * @param idleExpiry an unused entry expires after this time, at the latest at the absolute expiry
 * @param absoluteExpiry every entry expires after this time, used or not
 * @param jitter the largest random reduction of the absolute expiry, as a share from 0 to 0.5. Accounts with
 *     simultaneous logins then do not hash again at the same time
 * @param maximumSize the number of entries; the least valuable accounts are evicted first, with all their entries
 * @param maximumPerStoredHash the number of entries per stored hash, or per user name of a login source. Some encoders
 *     accept several passwords for one hash: BCrypt ignores input after 72 bytes. The limit prevents one account from
 *     filling the cache
 * @param fastLoad an encoder's success that took less time is not stored, because a hit costs nearly as much. Zero stores
 *     every success. No effect on login sources
 */
public record CredentialCacheSettings(
        Duration idleExpiry,
        Duration absoluteExpiry,
        double jitter,
        int maximumSize,
        int maximumPerStoredHash,
        Duration fastLoad) {

    /** With a longer expiry, the cache of digests would become a second, weaker password store. */
    static final Duration LONGEST = Duration.ofHours(24);

    private static final double MOST_JITTER = 0.5;
    private static final int MOST_PER_STORED_HASH = 64;
    private static final int MOST_ENTRIES = 100_000_000;

    private static final CredentialCacheSettings DEFAULTS = new CredentialCacheSettings(
            Duration.ofMinutes(10), Duration.ofMinutes(60), 0.1, 10_000, 8, Duration.ofNanos(20_000));

    /**
     * @param idleExpiry an unused entry expires after this time, at the latest at the absolute expiry
     * @param absoluteExpiry every entry expires after this time, used or not
     * @param jitter the largest random reduction of the absolute expiry, as a share from 0 to 0.5. Accounts with
     *     simultaneous logins then do not hash again at the same time
     * @param maximumSize the number of entries; the least valuable accounts are evicted first, with all their entries
     * @param maximumPerStoredHash the number of entries per stored hash, or per user name of a login source. Some
     *     encoders accept several passwords for one hash: BCrypt ignores input after 72 bytes. The limit prevents one
     *     account from filling the cache
     * @param fastLoad an encoder's success that took less time is not stored, because a hit costs nearly as much. Zero
     *     stores every success. No effect on login sources
     * @throws IllegalArgumentException if a value is out of its range; the message names the value and the range
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
     * @return the default settings
     */
    public static CredentialCacheSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a copy with another idle expiry.
     *
     * @param idleExpiry an unused entry expires after this time; positive, at most 24 hours
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withIdleExpiry(Duration idleExpiry) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * Returns a copy with another absolute expiry.
     *
     * @param absoluteExpiry every entry expires after this time, used or not; positive, at most 24 hours
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withAbsoluteExpiry(Duration absoluteExpiry) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * Returns a copy with another jitter.
     *
     * @param jitter the largest random reduction of the absolute expiry, as a share; 0 to 0.5
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withJitter(double jitter) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * Returns a copy with another size.
     *
     * @param maximumSize the number of entries, 1 to 100,000,000
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withMaximumSize(int maximumSize) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * Returns a copy with another number of entries for each stored hash, or user name of a login source.
     *
     * @param maximumPerStoredHash 1 to 64
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withMaximumPerStoredHash(int maximumPerStoredHash) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    /**
     * Returns a copy with another threshold for fast encoders, which are not cached.
     *
     * @param fastLoad zero to 24 hours; zero caches every encoder
     * @return a changed copy
     * @throws IllegalArgumentException if the value is out of its range
     */
    public CredentialCacheSettings withFastLoad(Duration fastLoad) {
        return new CredentialCacheSettings(
                idleExpiry, absoluteExpiry, jitter, maximumSize, maximumPerStoredHash, fastLoad);
    }

    private static void requireExpiry(String kind, Duration expiry) {
        if (expiry.isNegative() || expiry.isZero() || expiry.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The " + kind + " expiry must be positive and at most " + LONGEST + ", got " + expiry);
        }
    }

    private static void requireRange(String setting, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("The " + setting + " must be from 1 to " + most + ", got " + value);
        }
    }
}
