package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.spring.http.RequestSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * The encoder that logins ask: in front of the credential cache, which is in front of what hashes. The account that was found counts for the limits
 * before anything is compared with its hash. A right password that the cache does not know takes one of the hashes that its account may cost from one
 * source: some encoders take many texts for one password.
 *
 * <p>Spring Security's providers compare the password of an unknown name with a stand-in hash, which each provider has this encoder make from a
 * constant. Two first logins at once have two made, and the provider keeps one of them. So this encoder makes none: it answers that constant with a
 * text that is no hash, always the same, and knows it again. The comparison then costs what the accounts' own hashes cost, and counts for no account.
 *
 * <p>Safe for use by any number of threads if the encoder that hashes is.
 */
public final class LoginEncoder implements PasswordEncoder {

    /** What Spring Security's provider makes its stand-in hash from. */
    private static final String STAND_IN_PASSWORD = "userNotFoundPassword";

    /** In place of that hash. No password matches it, so an account whose stored hash it were would have no login. */
    private static final String STAND_IN = "{latchkey}no account";

    private final HashingEncoder hashing;
    private final @Nullable CachingPasswordEncoder caching;
    private final PasswordEncoder delegate;
    private final @Nullable LimitedLogins logins;
    private final @Nullable HashBudget budget;

    private LoginEncoder(
            HashingEncoder hashing,
            @Nullable CredentialCache cache,
            @Nullable LimitedLogins logins,
            @Nullable HashBudget budget) {
        this.hashing = hashing;
        this.caching = cache == null ? null : CachingPasswordEncoder.around(hashing, cache);
        this.delegate = caching == null ? hashing : caching;
        this.logins = logins;
        this.budget = budget;
    }

    /**
     * Puts an encoder behind as much as there is of cache, permits and limits.
     *
     * @param encoder that hashes
     * @param cache of right passwords; null to hash each time
     * @param permits to hash; null to begin each hash at once
     * @param logins told which account was found, and that its password is right; null without limits
     * @param budget of hashes for each account and source; null for any number
     * @return asks the encoder in the end
     */
    static LoginEncoder around(
            PasswordEncoder encoder,
            @Nullable CredentialCache cache,
            @Nullable HashingPermits permits,
            @Nullable LimitedLogins logins,
            @Nullable HashBudget budget) {
        return new LoginEncoder(new HashingEncoder(encoder, permits), cache, logins, budget);
    }

    /**
     * Asks the limits, then the cache, then what hashes.
     *
     * @throws AuthUnavailableException if the limits refuse, or no hash can be computed in time
     */
    @Override
    public boolean matches(CharSequence rawPassword, String encodedPassword) {
        if (STAND_IN.equals(encodedPassword)) {
            return spendAHash(rawPassword);
        }
        if (rawPassword == null || encodedPassword == null) {
            return delegate.matches(rawPassword, encodedPassword);
        }
        boolean mayRecall = mayRecall(encodedPassword);
        Optional<Boolean> atOnce = mayRecall
                ? matchesAtOnce(rawPassword, encodedPassword)
                : matchesStrangerAtOnce(rawPassword, encodedPassword);
        LoginComparison.note(this, encodedPassword, atOnce.isEmpty());
        if (atOnce.isPresent()) {
            return atOnce.get();
        }
        return mayRecall ? compute(rawPassword, encodedPassword) : matchesAnew(rawPassword, encodedPassword);
    }

    /** A thread that answers no request comes from nowhere that could be known, and is never told of an overload: it waits. */
    private boolean mayRecall(String storedHash) {
        return logins == null || logins.requireFound(storedHash) || !RequestSource.isBound();
    }

    /**
     * What {@link #matches} answers at a place where the right password was never shown, if that takes no hash. The cache answers only while a hash
     * would begin at once, as one for a wrong password would. Its answer takes one of the hashes that the account may cost, as a hash does. Asks no
     * limits.
     *
     * @param rawPassword as it was sent
     * @param encodedPassword as it is stored
     * @return empty where a hash is to be computed, or would have to wait
     * @throws AuthUnavailableException if the account has cost as many hashes as it may
     */
    public Optional<Boolean> matchesStrangerAtOnce(CharSequence rawPassword, String encodedPassword) {
        if (!hashing.beginsAtOnce(encodedPassword)) {
            return Optional.empty();
        }
        Optional<Boolean> atOnce = matchesAtOnce(rawPassword, encodedPassword);
        atOnce.ifPresent(matches -> matched(withinBudget(encodedPassword, () -> matches)));
        return atOnce;
    }

    /**
     * What a hash answers, whatever the cache knows: for a place where the right password was never shown. Asks no limits.
     *
     * @param rawPassword as it was sent
     * @param encodedPassword as it is stored
     * @return true if the password is right
     * @throws AuthUnavailableException if the account has cost as many hashes as it may, or no hash can be computed in time
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

    /** Only where there is a cache: without one every request costs a hash, as the service has chosen. */
    private boolean withinBudget(String storedHash, BooleanSupplier hash) {
        if (budget == null || caching == null || !RequestSource.isBound()) {
            return hash.getAsBoolean();
        }
        return budget.spend(storedHash, RequestSource.current(), hash);
    }

    /**
     * What {@link #matches} answers, if that takes no hash. Asks no limits.
     *
     * @param rawPassword as it was sent
     * @param encodedPassword as it is stored
     * @return empty where a hash is to be computed
     */
    public Optional<Boolean> matchesAtOnce(CharSequence rawPassword, String encodedPassword) {
        return caching == null ? Optional.empty() : caching.matchesAtOnce(rawPassword, encodedPassword);
    }

    /**
     * What a hash answers, whatever the cache knows. The cache knows no more afterwards: for accounts that are refused anyway.
     *
     * @param rawPassword as it was sent
     * @param encodedPassword as it is stored
     * @return true if the password is right
     * @throws AuthUnavailableException if the limits refuse, or no hash can be computed in time
     */
    public boolean matchesUncached(CharSequence rawPassword, String encodedPassword) {
        if (logins != null) {
            var unused = logins.requireFound(encodedPassword);
        }
        return hashing.matches(rawPassword, encodedPassword);
    }

    /**
     * Spends what the check of a password costs, where there is no hash to check it against.
     *
     * @param rawPassword as it was sent; null where there was none
     * @return false, always
     * @throws AuthUnavailableException if no hash can be computed in time
     */
    public boolean spendAHash(@Nullable CharSequence rawPassword) {
        return hashing.spend(rawPassword);
    }

    /** Has the cache forget what it knows of this hash. */
    void forget(String storedHash) {
        if (caching != null) {
            caching.cache().evictStoredHash(storedHash);
        }
    }

    /**
     * Whether there is a cache in front of what hashes.
     *
     * @return true also where the service has put a cache of its own there
     */
    public boolean isCached() {
        return caching != null || hashing.isCached();
    }

    /**
     * What the next {@link #spendAHash} allocates, as far as the last hash tells: for whoever schedules it.
     *
     * @return bytes; 0 where that is not much or not known
     */
    public long memoryOfSpending() {
        return hashing.memoryOfSpending();
    }

    /**
     * What the next {@link #encode} allocates, as far as the last one tells: for whoever schedules it.
     *
     * @return bytes; 0 where that is not much or not known
     */
    public long memoryOfEncoding() {
        return hashing.memoryOfEncoding();
    }

    /**
     * Makes a hash, but for the constant of Spring Security's providers, which is told by its identity: a constant is one object in all classes. An
     * account may have an equal password, and its hash may be made anew here.
     */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public String encode(CharSequence rawPassword) {
        return rawPassword == STAND_IN_PASSWORD ? STAND_IN : delegate.encode(rawPassword);
    }

    @Override
    public boolean upgradeEncoding(String encodedPassword) {
        return delegate.upgradeEncoding(encodedPassword);
    }
}
