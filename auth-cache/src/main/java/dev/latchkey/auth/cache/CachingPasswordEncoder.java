package dev.latchkey.auth.cache;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * A password encoder that computes one hash per credential and expiry, instead of one per request.
 *
 * <p>Wraps any {@link PasswordEncoder} and keeps the stored hashes unchanged. {@link #encode} and
 * {@link #upgradeEncoding} go to the delegate. {@link #matches} answers {@code true} from the cache only after the
 * delegate accepted the same password and stored hash within the expiry. An eviction removes the entry earlier. Checks
 * for disabled, locked and expired accounts and for roles are outside an encoder: each request reads them again.
 * {@link CredentialCache} describes the cache's content and its cost in safety.
 *
 * <p><b>Not cached:</b>
 *
 * <ul>
 *   <li>Rejections. A wrong password costs a full hash, with or without an entry for the account. Equal wrong passwords
 *       at the same time share one hash. Each answer takes at least as long as its own hash would.
 *   <li>Successes that prove no account. Spring Security checks the password of an unknown user against a dummy hash
 *       from this same encoder. With an entry for the dummy hash, unknown users would get faster answers than known
 *       users. The encoder sees no user name, so the rule is about passwords that can match a dummy hash. If the
 *       dummy's plain text is secret, no presented password matches. Spring's plain text is a published constant.
 *       Therefore Spring's constant is never stored for any hash. No other password is stored for the first 1,000 hashes
 *       that this encoder made from the constant. If your code makes a dummy hash from a plain text that is not secret,
 *       use the undecorated {@link #delegate()}.
 *   <li>A success that took less time than the settings' {@code fastLoad}, because a hit would save no time.
 *   <li>Passwords and stored hashes with more than 4,096 characters.
 * </ul>
 *
 * <p>If several threads present the same credential, one thread asks the delegate and the other threads wait. If the
 * delegate throws, each waiting thread asks the delegate itself. An outage is the exception: all waiting threads get the
 * outage. Safe for use by any number of threads if the delegate is.
 */
public final class CachingPasswordEncoder implements PasswordEncoder {

    private static final int LONGEST = 4_096;

    private final PasswordEncoder delegate;
    private final CredentialCache cache;
    private final long owner;
    private final DummyHashes dummies;

    private CachingPasswordEncoder(PasswordEncoder delegate, CredentialCache cache) {
        this.delegate = delegate;
        this.cache = cache;
        owner = cache.newOwner();
        dummies = new DummyHashes(cache.seed());
    }

    /**
     * Puts this cache in front of an encoder. The caller closes the cache.
     *
     * @param delegate computes hashes, on the calling thread
     * @param cache several encoders and plugins may share the cache; their entries stay separate
     * @return an encoder with the same answers as the delegate
     * @throws IllegalArgumentException if the delegate is already a caching encoder
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
     * @return the delegate of this encoder
     */
    public PasswordEncoder delegate() {
        return delegate;
    }

    /**
     * The cache with this encoder's entries.
     *
     * @return the cache from the factory method
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
        return cache.find(lookup) != null
                || cache.load(lookup, new HashCheck(rawPassword, encodedPassword, lookup, true));
    }

    /**
     * Asks the delegate even if there is an entry. Use this method if the response time or an overload must not show a
     * caller that a password is right. The call counts as a miss. A success is stored, and concurrent callers with the
     * same credential share the answer.
     *
     * @param rawPassword the presented password
     * @param encodedPassword the account's hash
     * @return the delegate's answer
     */
    public boolean matchesAnew(CharSequence rawPassword, String encodedPassword) {
        if (!isCacheable(rawPassword, encodedPassword)) {
            cache.counters().bypassed.increment();
            return delegate.matches(rawPassword, encodedPassword);
        }
        CredentialLookup lookup = CredentialLookup.ofPassword(owner, cache.seed(), encodedPassword, rawPassword);
        cache.countMiss(lookup);
        return cache.load(lookup, new HashCheck(rawPassword, encodedPassword, lookup, false));
    }

    /**
     * The answer of {@link #matches} if no slow hash is needed: for a hit, and for a missing password or hash. An empty
     * result says nothing about the password. A caller may then run {@link #matches} on another thread. The statistics
     * count both calls once.
     *
     * @param rawPassword the presented password; the encoder does not keep the password
     * @param encodedPassword the stored hash
     * @return whether the password is right, or empty if unknown
     */
    public Optional<Boolean> matchesAtOnce(CharSequence rawPassword, String encodedPassword) {
        if (rawPassword == null || encodedPassword == null) {
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
                && !cache.isClosed();
    }

    /** One check by the delegate. */
    private final class HashCheck implements CredentialLoad<Boolean> {

        private final CharSequence presented;
        private final String storedHash;
        private final CredentialLookup lookup;
        private final boolean mayRecall;

        /** @param mayRecall whether an entry stored meanwhile may answer */
        HashCheck(CharSequence presented, String storedHash, CredentialLookup lookup, boolean mayRecall) {
            this.presented = presented;
            this.storedHash = storedHash;
            this.lookup = lookup;
            this.mayRecall = mayRecall;
        }

        @Override
        public @Nullable Boolean stored() {
            return (mayRecall && cache.recheck(lookup) != null) ? Boolean.TRUE : null;
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
            if (nanos < cache.settings().fastLoad().toNanos() || dummies.isDummy(presented, storedHash)) {
                cache.counters().notStored.increment();
                return;
            }
            long now = cache.now();
            cache.store(flight, new CachedCredential(lookup.digest(), null, now + cache.lifetime(), now));
        }
    }
}
