package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry that also holds the verdict, because no other component on this machine knows the account. */
final class CachedVerdict extends CachedCredential {

    private final Authenticated verdict;

    private CachedVerdict(
            CredentialDigest digest,
            @Nullable CachedCredential next,
            long deadline,
            long lastUsed,
            Authenticated verdict) {
        super(digest, next, deadline, lastUsed);
        this.verdict = verdict;
    }

    /**
     * Creates an entry with this lifetime, in the cache's nanoseconds.
     *
     * @throws IllegalArgumentException if the lifetime is not positive, or longer than a cache may keep an entry
     */
    static CachedVerdict of(CredentialDigest digest, Authenticated verdict, long now, long lifetime) {
        if (lifetime <= 0 || lifetime > CredentialCacheSettings.LONGEST.toNanos()) {
            throw new IllegalArgumentException("An entry's lifetime must be positive and at most "
                    + CredentialCacheSettings.LONGEST + ", got " + lifetime + " ns");
        }
        return new CachedVerdict(digest, null, now + lifetime, now, verdict);
    }

    @Override
    CachedVerdict copy(CredentialDigest digest, @Nullable CachedCredential next) {
        return new CachedVerdict(digest, next, deadline(), lastUsed(), verdict);
    }

    /**
     * The lifetime of this verdict in nanoseconds: at most {@code most}, and never past the verdict's own
     * {@code validUntil}. Zero or less means expired.
     */
    static long lifetime(long most, Authenticated verdict, Instant now) {
        Instant end = verdict.validUntil();
        if (!end.isAfter(now)) {
            return 0;
        }
        try {
            return Math.min(most, Duration.between(now, end).toNanos());
        } catch (ArithmeticException e) {
            // The duration in nanoseconds does not fit a long.
            return most;
        }
    }

    Authenticated verdict() {
        return verdict;
    }
}
