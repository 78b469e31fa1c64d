package dev.latchkey.auth.cache;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers successful password logins of a plugin for a short time. Use this cache for a plugin without stored hashes,
 * such as LDAP or a remote service.
 *
 * <p>The cache key contains the tenant, the user name and the presented password. The plugin sees only the tenant of
 * the request, because a verdict based on an address or a header field would also reach other requests. If the user name
 * or the password is too long for the cache, or the cache is closed, the plugin sees the whole request. Without a stored
 * hash, the cache cannot detect a changed password. Therefore the expiry is required, absolute and short, and no use
 * extends the expiry.
 *
 * <p><b>Delayed effects.</b> Until the expiry, the old password still works after a change. A disabled, locked or
 * deleted account still receives the old answer, and so does an account with fewer authorities. The cache keeps the
 * verdict with the subject and the authorities, because no other component on this machine knows them. {@link
 * CredentialCache#evictUsername} ends the delay for one account.
 *
 * <p>The cache keeps only {@link Authenticated}, and never past the verdict's own {@code validUntil}. Each rejection,
 * abstention and outage comes from the plugin. Only callers with the same question at the same moment share an answer.
 * Questions about accounts and revocations go to the plugin unchanged. A revocation also evicts entries. Safe for use
 * by any number of threads.
 */
public final class CachingLoginSource implements LoginSource<PasswordCredentials>, CredentialsRevoker {

    /** The longest allowed expiry. With a longer expiry, a changed password would take effect too late. */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final int LONGEST_FIELD = 4_096;

    private final LoginSource<PasswordCredentials> delegate;
    private final @Nullable CredentialsRevoker revoker;
    private final CredentialCache cache;
    private final Duration expiry;
    private final InstantSource clock;
    private final BooleanSupplier mayRecall;
    private final Runnable matched;
    private final long owner;
    private volatile boolean closed;

    private CachingLoginSource(
            LoginSource<PasswordCredentials> delegate,
            @Nullable CredentialsRevoker revoker,
            CredentialCache cache,
            Duration expiry,
            InstantSource clock,
            BooleanSupplier mayRecall,
            Runnable matched) {
        this.delegate = delegate;
        this.revoker = revoker;
        this.cache = cache;
        this.expiry = expiry;
        this.clock = clock;
        this.mayRecall = mayRecall;
        this.matched = matched;
        owner = cache.newOwner();
    }

    /**
     * Puts this cache in front of a plugin. The cache's own idle and absolute expiry also apply. The caller closes the
     * cache.
     *
     * @param delegate decides each login without an entry; the cache keeps only the successes
     * @param cache several plugins and encoders may share the cache; their entries stay separate
     * @param expiry the longest use of a success: positive, at most 15 minutes
     * @return a plugin with the delegate's name
     * @throws IllegalArgumentException if the expiry is out of its range
     */
    public static CachingLoginSource around(
            LoginSource<PasswordCredentials> delegate, CredentialCache cache, Duration expiry) {
        Objects.requireNonNull(delegate, "delegate");
        Objects.requireNonNull(cache, "cache");
        if (expiry.isNegative() || expiry.isZero() || expiry.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The expiry must be positive and at most " + LONGEST + ", got " + expiry);
        }
        CredentialsRevoker revoker = delegate instanceof CredentialsRevoker itself ? itself : null;
        return new CachingLoginSource(delegate, revoker, cache, expiry, InstantSource.system(), () -> true, () -> {});
    }

    /**
     * Returns a copy with another clock for the comparison with {@code validUntil}.
     *
     * @param clock has no effect on the cache's own expiry
     * @return another plugin on the same cache, with its own entries; this plugin does not change
     */
    public CachingLoginSource withClock(InstantSource clock) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, Objects.requireNonNull(clock), mayRecall, matched);
    }

    /**
     * Returns a copy that uses entries only while {@code mayRecall} is true. Otherwise each login asks the plugin.
     * Without this rule, an answer during an overload or an outage would tell an attacker that a password is right.
     *
     * @param mayRecall called on each request, on the request's thread, and again before the plugin is asked; must be
     *     fast
     * @return another plugin on the same cache, with its own entries; this plugin does not change
     */
    public CachingLoginSource withRecall(BooleanSupplier mayRecall) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, clock, Objects.requireNonNull(mayRecall), matched);
    }

    /**
     * Returns a copy that reports each right password before the cache stores the password. Until the report,
     * {@code mayRecall} of {@link #withRecall} may be false for the account. After a later report, a request could
     * already have bypassed the new entry, and asked the plugin again.
     *
     * @param matched called on the asking thread, before the cache stores the password; must be fast
     * @return another plugin on the same cache, with its own entries; this plugin does not change
     */
    public CachingLoginSource withMatched(Runnable matched) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, clock, mayRecall, Objects.requireNonNull(matched));
    }

    /**
     * Returns a copy with another revoker. Use this method if the delegate wraps the plugin, for example in a bulkhead,
     * and is no {@link CredentialsRevoker}.
     *
     * @param revoker the plugin itself
     * @return another source on the same cache, with its own entries; this source does not change
     */
    public CachingLoginSource withRevoker(CredentialsRevoker revoker) {
        return new CachingLoginSource(
                delegate, Objects.requireNonNull(revoker), cache, expiry, clock, mayRecall, matched);
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public void unrecognized(PasswordCredentials credentials) {
        delegate.unrecognized(credentials);
    }

    @Override
    public Optional<Verdict> account(String subjectId) {
        return delegate.account(subjectId);
    }

    @Override
    public boolean hasStoredNames() {
        return delegate.hasStoredNames();
    }

    @Override
    public Decision authenticate(PasswordCredentials password, RequestContext context) {
        if (!isCacheable(password)) {
            return asked(password, context);
        }
        RequestContext shown = context.tenantAlone();
        CredentialLookup lookup = lookup(password, shown.tenant().orElse(""));
        Question question = new Question(password, shown, lookup);
        if (!mayRecall.getAsBoolean()) {
            cache.countMiss(lookup);
            return cache.load(lookup, question);
        }
        Decision stored = verdictOf(cache.find(lookup));
        return stored != null ? stored : cache.load(lookup, question);
    }

    private Decision asked(PasswordCredentials password, RequestContext context) {
        Decision decision = delegate.authenticate(password, context);
        if (decision instanceof Authenticated) {
            matched.run();
        }
        return decision;
    }

    /** Revokes in the plugin. After a revocation or an exception, evicts the account named by the credentials. */
    @Override
    public boolean revoke(Credentials credentials) {
        boolean revoked = true;
        try {
            revoked = revoker != null && revoker.revoke(credentials);
        } finally {
            // Evict after the plugin's revocation: a load from before is not stored, and a later load sees the
            // revocation.
            // Do not evict if the plugin answers false: otherwise any caller could evict an account by name.
            if (revoked) {
                credentials.account().ifPresent(cache::evictUsername);
            }
        }
        return revoked;
    }

    /** Revokes in the plugin, and evicts the subject's entries. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        try {
            return revoker != null && revoker.revokeAll(subjectId, notBefore);
        } finally {
            int unused = cache.evictIf(entry -> entry instanceof CachedVerdict cached
                    && cached.verdict().subject().id().equals(subjectId));
        }
    }

    @Override
    public boolean isRevoked(String subjectId, Instant provedAt) {
        return revoker != null && revoker.isRevoked(subjectId, provedAt);
    }

    /** Closes the plugin. Later questions go to the plugin. */
    @Override
    public void close() {
        closed = true;
        delegate.close();
    }

    private boolean isCacheable(PasswordCredentials credentials) {
        return !closed
                && !cache.isClosed()
                && credentials.username().length() <= LONGEST_FIELD
                && credentials.password().length() <= LONGEST_FIELD;
    }

    private CredentialLookup lookup(PasswordCredentials credentials, String tenant) {
        String account = credentials.username();
        return credentials
                .password()
                .withBytes(password -> CredentialLookup.ofSecret(owner, cache.seed(), account, tenant, password));
    }

    private @Nullable Authenticated verdictOf(@Nullable CachedCredential entry) {
        if (!(entry instanceof CachedVerdict cached)) {
            return null;
        }
        return clock.instant().isBefore(cached.verdict().validUntil()) ? cached.verdict() : null;
    }

    /** One question to the plugin. */
    private final class Question implements CredentialLoad<Decision> {

        private final PasswordCredentials credentials;
        private final RequestContext shown;
        private final CredentialLookup lookup;

        Question(PasswordCredentials credentials, RequestContext shown, CredentialLookup lookup) {
            this.credentials = credentials;
            this.shown = shown;
            this.lookup = lookup;
        }

        /** Looks up again: another login may have stored the same password since the first look-up. */
        @Override
        public @Nullable Decision stored() {
            return mayRecall.getAsBoolean() ? verdictOf(cache.recheck(lookup)) : null;
        }

        @Override
        public Decision ask() {
            return asked(credentials, shown);
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
            // The lifetime starts with the question to the plugin: the plugin may have read its data at that time.
            long most = Math.min(cache.lifetime(), expiry.toNanos() - nanos);
            long lifetime = CachedVerdict.lifetime(most, success, clock.instant());
            if (lifetime > 0) {
                cache.store(flight, CachedVerdict.of(lookup.digest(), success, cache.now(), lifetime));
            } else {
                cache.counters().notStored.increment();
            }
        }
    }
}
