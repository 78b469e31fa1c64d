package dev.latchkey.auth.cache;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * A password encoder that pays a hash once per credential and expiry, not once per request.
 *
 * <p>Drop-in: wraps any {@link PasswordEncoder}, changes nothing about what is stored, and answers {@link #encode}
 * and {@link #upgradeEncoding} through it unchanged. {@link #matches} answers {@code true} without asking it only
 * where it did so for this very password and this very stored hash within the cache's expiry, and has not been told
 * to forget. Everything else that a login checks (disabled, locked, expired, roles) stands outside an encoder and is
 * read fresh on each request, hit or miss. For what the cache holds and what that costs in safety see {@link
 * CredentialCache}.
 *
 * <p><b>What is not cached.</b>
 *
 * <ul>
 *   <li>A refusal, ever. A wrong password costs a full hash whether or not the account has an entry. Equal wrong
 *       passwords that arrive together share one hash, and each is answered no sooner than if it had paid its own.
 *   <li>A success that proves no account. Spring Security checks the password of an unknown user against a dummy hash
 *       that it made through this same encoder; an entry for that would answer unknown users sooner than known ones.
 *       The encoder sees no user name, so the rule is about what can match such a dummy at all. If nobody outside
 *       knows the dummy's plain text, nothing that anybody sends matches it and there is no success to store.
 *       Spring's is a published constant, so that password is never stored for any hash, nor is any other password
 *       for a hash that was encoded from it here. Whoever makes a dummy of his own from a plain text that is not
 *       secret uses the undecorated {@link #delegate()} for it.
 *   <li>A hash that is checked in less than the settings' {@code fastLoad}: a hit would gain nothing. Judged by the
 *       fastest success of its kind; from the first such success on, that kind goes straight to the delegate.
 *   <li>A password or a stored hash of more than 4,096 characters.
 * </ul>
 *
 * <p>Where several threads present one credential at a time, one of them asks the delegate, on its own thread, and
 * the others wait for it; what it throws is its own, and the others ask for themselves. Safe for use by any number of
 * threads if the delegate is.
 */
public final class CachingPasswordEncoder implements PasswordEncoder {

    private static final int LONGEST = 4_096;

    private final PasswordEncoder delegate;
    private final CredentialCache cache;
    private final long owner;
    private final DummyHashes dummies;
    private final FastLoads fastLoads;

    private CachingPasswordEncoder(PasswordEncoder delegate, CredentialCache cache) {
        this.delegate = delegate;
        this.cache = cache;
        owner = cache.newOwner();
        dummies = new DummyHashes(cache.seed());
        fastLoads = new FastLoads(cache.settings().fastLoad().toNanos());
    }

    /**
     * The delegate behind this cache. The cache stays the caller's to close.
     *
     * @param delegate computes hashes, on the thread that asks
     * @param cache may be shared by several encoders and plugins, whose entries are kept apart
     * @return an encoder that accepts and refuses what the delegate does
     * @throws IllegalArgumentException if the delegate is such an encoder itself
     */
    public static CachingPasswordEncoder around(PasswordEncoder delegate, CredentialCache cache) {
        Objects.requireNonNull(delegate, "delegate");
        Objects.requireNonNull(cache, "cache");
        if (delegate instanceof CachingPasswordEncoder) {
            throw new IllegalArgumentException("The encoder is cached already; wrap the one that computes the hash");
        }
        return new CachingPasswordEncoder(delegate, cache);
    }

    /**
     * The encoder that computes the hash.
     *
     * @return what this was made around
     */
    public PasswordEncoder delegate() {
        return delegate;
    }

    /**
     * Where this encoder keeps what it has verified.
     *
     * @return the cache that it was made with
     */
    public CredentialCache cache() {
        return cache;
    }

    @Override
    public String encode(CharSequence rawPassword) {
        String hash = delegate.encode(rawPassword);
        if (rawPassword != null && hash != null) {
            dummies.encoded(rawPassword, hash);
        }
        return hash;
    }

    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        if (!isCacheable(rawPassword, encodedPassword)) {
            cache.counters().bypassed.increment();
            return delegate.matches(rawPassword, encodedPassword);
        }
        CredentialLookup lookup = CredentialLookup.ofPassword(owner, cache.seed(), encodedPassword, rawPassword);
        return cache.find(lookup) != null || cache.load(lookup, new HashCheck(rawPassword, encodedPassword, lookup));
    }

    /**
     * The same by the delegate's answer, whatever is remembered: for a caller who must not see by time or by an overload that a password
     * is the one that is. Counted as a miss. A success is remembered, and who asks for the same at the same moment shares it.
     *
     * @param rawPassword as it was presented
     * @param encodedPassword the account's hash
     * @return what the delegate answers
     */
    public boolean matchesAnew(CharSequence rawPassword, String encodedPassword) {
        if (!isCacheable(rawPassword, encodedPassword)) {
            cache.counters().bypassed.increment();
            return delegate.matches(rawPassword, encodedPassword);
        }
        CredentialLookup lookup = CredentialLookup.ofPassword(owner, cache.seed(), encodedPassword, rawPassword);
        cache.passOver(lookup);
        return cache.load(lookup, new Unrecalled<>(new HashCheck(rawPassword, encodedPassword, lookup)));
    }

    /**
     * What {@link #matches} answers, where that takes no hash worth the name: a hit, or a kind of hash that is known to be
     * checked faster than a hit would save. Empty where a hash has to be computed, which says nothing about the password; who
     * then asks {@link #matches} on a thread that may take its time is counted once.
     *
     * @param rawPassword as somebody sent it; it is not kept
     * @param encodedPassword the stored hash
     * @return whether the password is right, where that is known
     */
    public Optional<Boolean> matchesAtOnce(CharSequence rawPassword, String encodedPassword) {
        if (rawPassword == null || encodedPassword == null || fastLoads.isFast(encodedPassword)) {
            return Optional.of(matches(rawPassword, encodedPassword));
        }
        if (!isCacheable(rawPassword, encodedPassword)) {
            return Optional.empty();
        }
        CredentialLookup lookup = CredentialLookup.ofPassword(owner, cache.seed(), encodedPassword, rawPassword);
        return cache.findHit(lookup) == null ? Optional.empty() : Optional.of(Boolean.TRUE);
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return delegate.upgradeEncoding(encodedPassword);
    }

    private boolean isCacheable(@Nullable CharSequence presented, @Nullable String storedHash) {
        return presented != null
                && storedHash != null
                && presented.length() <= LONGEST
                && storedHash.length() <= LONGEST
                && !cache.isClosed()
                && !fastLoads.isFast(storedHash);
    }

    /** One check by the delegate. */
    private final class HashCheck implements CredentialLoad<Boolean> {

        private final CharSequence presented;
        private final String storedHash;
        private final CredentialLookup lookup;

        HashCheck(CharSequence presented, String storedHash, CredentialLookup lookup) {
            this.presented = presented;
            this.storedHash = storedHash;
            this.lookup = lookup;
        }

        @Override
        public @Nullable Boolean stored() {
            return cache.recheck(lookup) == null ? null : Boolean.TRUE;
        }

        @Override
        public Boolean ask() {
            return delegate.matches(presented, storedHash);
        }

        @Override
        public boolean accepts(Boolean verdict) {
            return verdict;
        }

        @Override
        public void store(Boolean verdict, Flight<Boolean> flight, long nanos) {
            if (!fastLoads.isWorthStoring(storedHash, nanos) || dummies.isDummy(presented, storedHash)) {
                cache.counters().notStored.increment();
                return;
            }
            long now = cache.now();
            cache.store(flight, new CachedCredential(lookup.digest(), null, now + cache.lifetime(), now));
        }
    }
}
