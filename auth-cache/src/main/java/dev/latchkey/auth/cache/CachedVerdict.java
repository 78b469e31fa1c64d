package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry that answers with a verdict of its own, because nothing else on this machine knows the account. */
final class CachedVerdict extends CachedCredential {

    private final Authenticated verdict;
    private final TokenBinding binding;

    CachedVerdict(
            CredentialDigest digest,
            @Nullable CachedCredential next,
            long deadline,
            long lastUsed,
            Authenticated verdict,
            TokenBinding binding) {
        super(digest, next, deadline, lastUsed);
        this.verdict = verdict;
        this.binding = binding;
    }

    @Override
    CachedVerdict copy(CredentialDigest digest, @Nullable CachedCredential next) {
        return new CachedVerdict(digest, next, deadline(), lastUsed(), verdict, binding);
    }

    /** The lifetime of an entry for this verdict: so many nanoseconds at most, and not beyond what it says itself. */
    static long lifetime(long most, Authenticated verdict, Instant now) {
        Instant end = verdict.validUntil();
        return end.isBefore(now.plusNanos(most)) ? Duration.between(now, end).toNanos() : most;
    }

    Authenticated verdict() {
        return verdict;
    }

    TokenBinding binding() {
        return binding;
    }
}
