package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry that answers with a verdict of its own, because nothing else on this machine knows the account. */
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
     * An entry that is good for so long from now on, in the cache's nanoseconds.
     *
     * @throws IllegalArgumentException if that is not positive, or longer than a cache may keep anything
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
     * How long this verdict may be kept: so many nanoseconds at most, and not beyond what it says itself; zero or less for one that
     * is over.
     */
    static long lifetime(long most, Authenticated verdict, Instant now) {
        Instant end = verdict.validUntil();
        if (!end.isAfter(now)) {
            return 0;
        }
        try {
            return Math.min(most, Duration.between(now, end).toNanos());
        } catch (ArithmeticException e) {
            // More nanoseconds than there are numbers for.
            return most;
        }
    }

    Authenticated verdict() {
        return verdict;
    }
}
