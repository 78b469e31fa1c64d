package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
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

    Authenticated verdict() {
        return verdict;
    }

    TokenBinding binding() {
        return binding;
    }
}
