package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.RevocationStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the verdict on a verified bearer token, for verifiers that are slow: a remote introspection, a public-key
 * signature.
 *
 * <p>An entry is bound to all that makes a token worthless before the cache's expiry: to its {@code exp}, which the
 * verdict's {@code validUntil} carries; to the version of the key ring, so that a ring that was replaced is asked
 * again; and to revocation, which is checked on each hit, by the ids of the token and of its login and by its subject, so that a revoked
 * subject needs no eviction. Where the subject's bound has moved since the token was verified, the verifier decides
 * again, since only it knows when the token was issued. The verdict is an immutable record. Only successes are kept; a
 * token that is refused costs a verification each time.
 *
 * <p>Safe for use by any number of threads. Threads that present one new token at a time verify it once.
 */
public final class CachingTokenPlugin implements PluginStandIn {

    private static final int LONGEST = 16_384;

    private final AuthPlugin delegate;
    private final CredentialCache cache;
    private final LongSupplier ringVersion;
    private final RevocationStore revocations;
    private final Function<? super BearerToken, ? extends Collection<String>> revocableIds;
    private final InstantSource clock;
    private final long owner;
    private volatile boolean closed;

    private CachingTokenPlugin(
            AuthPlugin delegate,
            CredentialCache cache,
            LongSupplier ringVersion,
            RevocationStore revocations,
            Function<? super BearerToken, ? extends Collection<String>> revocableIds,
            InstantSource clock) {
        this.delegate = delegate;
        this.cache = cache;
        this.ringVersion = ringVersion;
        this.revocations = revocations;
        this.revocableIds = revocableIds;
        this.clock = clock;
        owner = cache.newOwner();
    }

    /**
     * The plugin behind this cache, whose own idle and absolute expiry also hold. The cache stays the caller's to
     * close; give tokens one of their own, so that many tokens do not displace passwords.
     *
     * @param ringVersion a number that changes with each change of the verifier's keys
     * @param revocations the store that the verifier itself asks
     * @param revocableIds reads from a token that was just verified what the verifier asks the store about besides the subject:
     *     its {@code jti}, and the {@code sid} of the login that it belongs to; empty where it has none
     */
    public static CachingTokenPlugin around(
            AuthPlugin delegate,
            CredentialCache cache,
            LongSupplier ringVersion,
            RevocationStore revocations,
            Function<? super BearerToken, ? extends Collection<String>> revocableIds) {
        return new CachingTokenPlugin(
                Objects.requireNonNull(delegate, "delegate"),
                Objects.requireNonNull(cache, "cache"),
                Objects.requireNonNull(ringVersion, "ringVersion"),
                Objects.requireNonNull(revocations, "revocations"),
                Objects.requireNonNull(revocableIds, "revocableIds"),
                InstantSource.system());
    }

    /** The same plugin, with another source of the time that {@code exp} is compared with. */
    public CachingTokenPlugin withClock(InstantSource clock) {
        return new CachingTokenPlugin(
                delegate, cache, ringVersion, revocations, revocableIds, Objects.requireNonNull(clock));
    }

    /** The plugin that verifies. */
    @Override
    public AuthPlugin delegate() {
        return delegate;
    }

    @Override
    public Decision authenticate(Credentials credentials) {
        if (!(credentials instanceof BearerToken token) || !isCacheable(token)) {
            return delegate.authenticate(credentials);
        }
        CredentialLookup lookup = lookup(token);
        Decision stored = verdictOf(cache.find(lookup));
        return stored != null ? stored : cache.load(lookup, new Verification(token, lookup));
    }

    @Override
    public boolean revoke(Credentials credentials) {
        boolean revoked = true;
        try {
            revoked = delegate.revoke(credentials);
        } finally {
            if (revoked && credentials instanceof BearerToken token) {
                cache.forget(lookup(token));
            }
        }
        return revoked;
    }

    /** Closes the plugin; from then on each question is its own to refuse. */
    @Override
    public void close() {
        closed = true;
        delegate.close();
    }

    private boolean isCacheable(BearerToken token) {
        return !closed && !cache.isClosed() && token.token().length() <= LONGEST;
    }

    private CredentialLookup lookup(BearerToken token) {
        return token.token().withBytes(bytes -> CredentialLookup.ofToken(owner, cache.seed(), bytes));
    }

    private boolean stillHolds(CachedVerdict cached) {
        Authenticated verdict = cached.verdict();
        TokenBinding binding = cached.binding();
        return clock.instant().isBefore(verdict.validUntil())
                && ringVersion.getAsLong() == binding.ringVersion()
                && binding.revocableIds().stream().noneMatch(revocations::isTokenRevoked)
                && revocations.notBefore(verdict.subject().id()).equals(binding.notBefore());
    }

    private @Nullable Authenticated verdictOf(@Nullable CachedCredential entry) {
        return entry instanceof CachedVerdict cached && stillHolds(cached) ? cached.verdict() : null;
    }

    /** One verification. */
    private final class Verification implements CredentialLoad<Decision> {

        private final BearerToken token;
        private final CredentialLookup lookup;

        /** Read before the token is verified: a ring that changes meanwhile makes the entry void, not valid. */
        private final long version = ringVersion.getAsLong();

        Verification(BearerToken token, CredentialLookup lookup) {
            this.token = token;
            this.lookup = lookup;
        }

        @Override
        public @Nullable Decision stored() {
            return verdictOf(cache.recheck(lookup));
        }

        @Override
        public Decision ask() {
            return delegate.authenticate(token);
        }

        @Override
        public boolean accepts(Decision verdict) {
            return verdict instanceof Authenticated;
        }

        @Override
        public void store(Decision verdict, Flight<Decision> flight, long nanos) {
            if (closed || !(verdict instanceof Authenticated success)) {
                return;
            }
            Instant notBefore = revocations.notBefore(success.subject().id());
            // A bound is never lowered, so where there is none there was none when the token was verified. Where there
            // is
            // one, it may be younger than the verdict, and only a verdict reached after it was read is known to heed
            // it.
            if (!notBefore.equals(Instant.MIN) && !success.equals(delegate.authenticate(token))) {
                return;
            }
            TokenBinding binding = new TokenBinding(version, notBefore, List.copyOf(revocableIds.apply(token)));
            long now = cache.now();
            long lifetime = CachedVerdict.lifetime(cache.lifetime(), success, clock.instant());
            cache.store(flight, new CachedVerdict(lookup.digest(), null, now + lifetime, now, success, binding));
        }
    }
}
