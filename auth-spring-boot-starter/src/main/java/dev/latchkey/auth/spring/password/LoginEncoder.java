package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.spring.http.CurrentRequest;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder of logins: asks the limits, then the credential cache, then the hashing encoder. The limits count the found account
 * before any comparison with its hash. A right password outside the cache takes a hash from the budget of the account and the
 * source, because some encoders accept many texts for the same password.
 *
 * <p>For an unknown name, Spring Security's providers compare the password with a stand-in hash. Each provider encodes a constant
 * for this purpose. This encoder computes no stand-in hash: two parallel first logins would compute two such hashes, and the
 * provider would keep one of the two. For the constant, the encoder returns a fixed text that is no hash, and recognises this
 * text later. The comparison then costs as much as for accounts, and counts for no account.
 *
 * <p>Safe for use by any number of threads if the hashing encoder is.
 */
public final class LoginEncoder implements PasswordEncoder {

    /** The constant of Spring Security's provider for its stand-in hash. */
    private static final String STAND_IN_PASSWORD = "userNotFoundPassword";

    /** The text in place of the stand-in hash. No password matches, so an account with this stored hash has no login. */
    private static final String STAND_IN = "{latchkey}no account";

    private final HashingEncoder hashing;
    private final @Nullable CachingPasswordEncoder caching;
    private final PasswordEncoder delegate;
    private final @Nullable LoginLimitGate logins;
    private final @Nullable HashBudget budget;

    private LoginEncoder(
            HashingEncoder hashing,
            @Nullable CredentialCache cache,
            @Nullable LoginLimitGate logins,
            @Nullable HashBudget budget) {
        this.hashing = hashing;
        this.caching = cache == null ? null : CachingPasswordEncoder.around(hashing, cache);
        this.delegate = caching == null ? hashing : caching;
        this.logins = logins;
        this.budget = budget;
    }

    /**
     * Adds the available parts to an encoder: cache, permits and limits.
     *
     * @param encoder computes the hashes
     * @param cache of right passwords; null to hash each time
     * @param permits to hash; null to begin each hash at once
     * @param logins notified of the found account and of a right password; null without limits
     * @param budget of hashes for each account and source; null for any number
     * @return a decorator of the encoder
     */
    static LoginEncoder around(
            PasswordEncoder encoder,
            @Nullable CredentialCache cache,
            @Nullable HashingPermits permits,
            @Nullable LoginLimitGate logins,
            @Nullable HashBudget budget) {
        return new LoginEncoder(
                new HashingEncoder(encoder, permits, () -> logins != null && logins.leavesRoom()),
                cache,
                logins,
                budget);
    }

    /**
     * Asks the limits, then the cache, then the hashing encoder.
     *
     * @throws AuthUnavailableException if the limits reject, or no hash can be computed in time
     */
    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        if (HashingEncoder.isSpending()) {
            return hashing.matches(rawPassword, encodedPassword);
        }
        if (STAND_IN.equals(encodedPassword)) {
            boolean never = spendAHash(rawPassword);
            ComparedPassword.noteStandIn(CurrentLogin.here());
            return never;
        }
        boolean matches = isRight(rawPassword, encodedPassword);
        ComparedPassword.note(CurrentLogin.here(), matches);
        return matches;
    }

    private boolean isRight(CharSequence rawPassword, String encodedPassword) {
        if (rawPassword == null || encodedPassword == null) {
            return delegate.matches(rawPassword, encodedPassword);
        }
        boolean mayRecall = mayRecall(encodedPassword);
        Optional<Boolean> atOnce = mayRecall
                ? matchesAtOnce(rawPassword, encodedPassword)
                : matchesUnknownClientAtOnce(rawPassword, encodedPassword);
        LoginComparison.note(this, encodedPassword, atOnce.isEmpty());
        if (atOnce.isPresent()) {
            return atOnce.get();
        }
        return mayRecall ? compute(rawPassword, encodedPassword) : matchesAnew(rawPassword, encodedPassword);
    }

    /** A thread without a request has no client IP, and waits without a limit. */
    private boolean mayRecall(String storedHash) {
        return logins == null || logins.requireFound(storedHash) || !CurrentRequest.hasSource();
    }

    /**
     * The result of {@link #matches} for an unknown client, if no hash is necessary. The cache answers only if a hash would begin
     * at once, as for a wrong password. The answer takes a hash from the account's budget, as a hash does. Asks no limits.
     *
     * @param rawPassword as sent
     * @param encodedPassword as stored
     * @return empty if a hash is necessary, or would have to wait
     * @throws AuthUnavailableException if the account's budget of hashes is empty
     */
    public Optional<Boolean> matchesUnknownClientAtOnce(CharSequence rawPassword, String encodedPassword) {
        if (!hashing.beginsAtOnce(encodedPassword)) {
            return Optional.empty();
        }
        Optional<Boolean> atOnce = matchesAtOnce(rawPassword, encodedPassword);
        atOnce.ifPresent(matches -> matched(withinBudget(encodedPassword, () -> matches)));
        return atOnce;
    }

    /**
     * The result of a hash, without the cache: for an unknown client. Asks no limits.
     *
     * @param rawPassword as sent
     * @param encodedPassword as stored
     * @return true if the password is right
     * @throws AuthUnavailableException if the account's budget of hashes is empty, or no hash can be computed in time
     */
    public boolean matchesAnew(CharSequence rawPassword, String encodedPassword) {
        CachingPasswordEncoder cached = caching;
        return matched(withinBudget(
                encodedPassword,
                () -> cached == null
                        ? hashing.matches(rawPassword, encodedPassword)
                        : cached.matchesAnew(rawPassword, encodedPassword)));
    }

    private boolean matched(boolean matches) {
        if (matches && logins != null) {
            logins.matched();
        }
        return matches;
    }

    private boolean compute(CharSequence rawPassword, String encodedPassword) {
        return withinBudget(encodedPassword, () -> delegate.matches(rawPassword, encodedPassword));
    }

    /** Only with a cache: without a cache every request costs a hash, as the service has chosen. */
    private boolean withinBudget(String storedHash, BooleanSupplier hash) {
        if (budget == null || caching == null || !CurrentRequest.hasSource()) {
            return hash.getAsBoolean();
        }
        return budget.spend(storedHash, CurrentRequest.source(), hash);
    }

    /**
     * The result of {@link #matches}, if no hash is necessary. Asks no limits.
     *
     * @param rawPassword as sent
     * @param encodedPassword as stored
     * @return empty if a hash is necessary
     */
    public Optional<Boolean> matchesAtOnce(CharSequence rawPassword, String encodedPassword) {
        return caching == null ? Optional.empty() : caching.matchesAtOnce(rawPassword, encodedPassword);
    }

    /**
     * The result of a hash, without the cache: for accounts rejected for their state. The cache does not change.
     *
     * @param rawPassword as sent
     * @param encodedPassword as stored
     * @return true if the password is right
     * @throws AuthUnavailableException if the limits reject, or no hash can be computed in time
     */
    public boolean matchesUncached(CharSequence rawPassword, String encodedPassword) {
        if (logins != null) {
            var unused = logins.requireFound(encodedPassword);
        }
        return hashing.matches(rawPassword, encodedPassword);
    }

    /**
     * Computes a hash without a stored hash, for an unknown name.
     *
     * @param rawPassword as sent; null without a password
     * @return false, always
     * @throws AuthUnavailableException if no hash can be computed in time
     */
    public boolean spendAHash(@Nullable CharSequence rawPassword) {
        return hashing.spend(rawPassword);
    }

    /** Removes this hash from the cache. */
    void forget(String storedHash) {
        if (caching != null) {
            caching.cache().evictStoredHash(storedHash);
        }
    }

    /**
     * Whether right passwords are cached.
     *
     * @return true also if the service's own encoder is a cache
     */
    public boolean isCached() {
        return caching != null || hashing.isCached();
    }

    /**
     * The estimated memory of the next {@link #matches} with this stored text, for scheduling.
     *
     * @param encodedPassword as stored
     * @return bytes; 0 for little or unknown memory
     */
    public long memoryOfMatching(String encodedPassword) {
        return hashing.memoryOfMatching(encodedPassword);
    }

    /**
     * The estimated memory of the next {@link #spendAHash}, for scheduling.
     *
     * @return bytes; 0 for little or unknown memory
     */
    public long memoryOfSpending() {
        return hashing.memoryOfSpending();
    }

    /**
     * The estimated memory of the next {@link #encode}, for scheduling.
     *
     * @return bytes; 0 for little or unknown memory
     */
    public long memoryOfEncoding() {
        return hashing.memoryOfEncoding();
    }

    /**
     * Computes a hash, except for the constant of Spring Security's providers. The constant is recognised by its identity,
     * because a constant is the same object in all classes. An account may have an equal password, and needs a real hash here.
     */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public String encode(CharSequence rawPassword) {
        return rawPassword == STAND_IN_PASSWORD ? STAND_IN : delegate.encode(rawPassword);
    }

    /**
     * Keeps the known clients of the account, if the service stores the new hash.
     *
     * @param before the stored hash until now
     * @param after a new hash of the same password
     */
    public void replaced(String before, String after) {
        if (logins != null) {
            logins.replaced(before, after);
        }
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return delegate.upgradeEncoding(encodedPassword);
    }
}
