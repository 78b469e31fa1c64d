package dev.latchkey.auth.cache;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a short while whom a plugin authenticated by password, where its verdict has no stored hash: LDAP, a
 * remote service.
 *
 * <p>The key is the tenant, the user name, a version of its credentials, and the presented password. Of the request that they came
 * with, the plugin is shown nothing but the tenant when it is asked about a password: a verdict that hung on an address or a header
 * field would be given to other requests too. Without a stored hash nobody
 * here can see that a password was changed, so the expiry is absolute and short, no use prolongs it, and it is a
 * required parameter.
 *
 * <p><b>What it delays.</b> For as long as the expiry, unless the version says otherwise: the old password still
 * works after a change, and a disabled, locked or deleted account, or one that lost authorities, is still answered as
 * it was. The verdict itself is kept, with its subject and authorities, because nothing else on this machine knows
 * them. Whoever can read something that changes with the account (LDAP's {@code pwdChangedTime} from a local replica,
 * a counter in a table) hands it in with {@link #withCredentialVersion}; it is asked on each request, and a new
 * version is a miss.
 *
 * <p>Only {@link Authenticated} is kept, never beyond its own {@code validUntil}. Rejections, abstentions and outages
 * are the plugin's own each time; only callers that asked for the same at the same moment share one. Questions about
 * accounts go to the plugin unchanged, and so do revocations, which also evict. Safe for use by any number of threads.
 */
public final class CachingLoginSource implements LoginSource<PasswordCredentials>, CredentialsRevoker {

    /** Beyond this a changed password would work so long that nobody would call it a delay. */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final int LONGEST_FIELD = 4_096;

    private final LoginSource<PasswordCredentials> delegate;
    private final @Nullable CredentialsRevoker revoker;
    private final CredentialCache cache;
    private final Duration expiry;
    private final Function<? super String, String> credentialVersion;
    private final InstantSource clock;
    private final BooleanSupplier mayRecall;
    private final long owner;
    private volatile boolean closed;

    private CachingLoginSource(
            LoginSource<PasswordCredentials> delegate,
            @Nullable CredentialsRevoker revoker,
            CredentialCache cache,
            Duration expiry,
            Function<? super String, String> credentialVersion,
            InstantSource clock,
            BooleanSupplier mayRecall) {
        this.delegate = delegate;
        this.revoker = revoker;
        this.cache = cache;
        this.expiry = expiry;
        this.credentialVersion = credentialVersion;
        this.clock = clock;
        this.mayRecall = mayRecall;
        owner = cache.newOwner();
    }

    /**
     * The plugin behind this cache, whose own idle and absolute expiry also hold. The cache stays the caller's to
     * close.
     *
     * @param delegate decides what the cache does not know; only its successes are kept
     * @param cache may be shared by several plugins and encoders, whose entries are kept apart
     * @param expiry how long a success may be relied upon: positive, at most 15 minutes
     * @return a plugin of the delegate's name
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
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, username -> "", InstantSource.system(), () -> true);
    }

    /**
     * The same plugin, with a version of each account's credentials in the key.
     *
     * @param credentialVersion from a user name, also one that does not exist, to anything that changes with the
     *     account's password or state; quick, since it is asked on each request. What it throws ends the request
     * @return another plugin on the same cache, with entries of its own; this one stays as it is
     */
    public CachingLoginSource withCredentialVersion(Function<? super String, String> credentialVersion) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, Objects.requireNonNull(credentialVersion), clock, mayRecall);
    }

    /**
     * The same plugin, with another source of the time that {@code validUntil} is compared with.
     *
     * @param clock moves no expiry of the cache's own
     * @return another plugin on the same cache, with entries of its own; this one stays as it is
     */
    public CachingLoginSource withClock(InstantSource clock) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, credentialVersion, Objects.requireNonNull(clock), mayRecall);
    }

    /**
     * The same plugin, which answers by what it remembers only where this says so; elsewhere the plugin behind is asked, whatever is
     * remembered. For callers who must not see by an overload or an outage that a password is the one that is.
     *
     * @param mayRecall asked on each request, on its thread, and once more before the plugin is asked; quick
     * @return another plugin; this one stays as it is
     */
    public CachingLoginSource withRecall(BooleanSupplier mayRecall) {
        return new CachingLoginSource(
                delegate, revoker, cache, expiry, credentialVersion, clock, Objects.requireNonNull(mayRecall));
    }

    /**
     * The same source, whose revocations go to this plugin. For a delegate that is something around the plugin, a bulkhead for example, and so is no {@link
     * CredentialsRevoker}. A delegate that is one needs no other.
     *
     * @param revoker the plugin itself
     * @return another source on the same cache, with entries of its own; this one stays as it is
     */
    public CachingLoginSource withRevoker(CredentialsRevoker revoker) {
        return new CachingLoginSource(
                delegate, Objects.requireNonNull(revoker), cache, expiry, credentialVersion, clock, mayRecall);
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
    public Optional<Account> account(String subjectId) {
        return delegate.account(subjectId);
    }

    @Override
    public Decision authenticate(PasswordCredentials password, RequestContext context) {
        if (!isCacheable(password)) {
            return delegate.authenticate(password, context);
        }
        RequestContext shown = context.tenantAlone();
        CredentialLookup lookup = lookup(password, shown.tenant().orElse(""));
        Question question = new Question(password, shown, lookup);
        if (!mayRecall.getAsBoolean()) {
            cache.passOver(lookup);
            return cache.load(lookup, question);
        }
        Decision stored = verdictOf(cache.find(lookup));
        return stored != null ? stored : cache.load(lookup, question);
    }

    /** Revokes in the plugin, and forgets the account that the credentials name. */
    @Override
    public boolean revoke(Credentials credentials) {
        boolean revoked = true;
        try {
            revoked = revoker != null && revoker.revoke(credentials);
        } finally {
            // After the plugin: what was loaded before it knew is not stored, what is loaded later is right. Not where
            // the plugin says that these credentials prove nobody, or anybody could evict by sending a name.
            if (revoked) {
                credentials.account().ifPresent(cache::evictUsername);
            }
        }
        return revoked;
    }

    /** Revokes in the plugin, and forgets the subject's entries. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        try {
            return revoker != null && revoker.revokeAll(subjectId, notBefore);
        } finally {
            int unused = cache.evictIf(entry -> entry instanceof CachedVerdict cached
                    && cached.verdict().subject().id().equals(subjectId));
        }
    }

    /** Closes the plugin; from then on each question is its own to refuse. */
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
        String version = Objects.requireNonNull(credentialVersion.apply(account), "credential version");
        String within = versionWithin(tenant, version);
        return credentials
                .password()
                .withBytes(password -> CredentialLookup.ofSecret(owner, cache.seed(), account, within, password));
    }

    /** The version itself where no tenant was asked for; and no other pair of tenant and version has the same text. */
    static String versionWithin(String tenant, String version) {
        boolean isPlain = tenant.isEmpty() && !version.startsWith("\0");
        return isPlain ? version : "\0" + tenant.length() + ":" + tenant + version;
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

        /** Asked for once more: between the look-up and this, another login may have shown the same password here. */
        @Override
        public @Nullable Decision stored() {
            return mayRecall.getAsBoolean() ? verdictOf(cache.recheck(lookup)) : null;
        }

        @Override
        public Decision ask() {
            return delegate.authenticate(credentials, shown);
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
            // Counted from the question, not from the answer: what the plugin looked at may be as old as that.
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
