package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import dev.latchkey.auth.password.upgrade.UserDetailsStoredPasswords;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.StoreRefusals;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * The accounts of a {@link UserDetailsService} as a plugin.
 *
 * <p>The plugin abstains for unknown names, and for names that no subject can have. Every answer costs a hash. Without a stored hash, a hash is computed for timing only
 * ({@link LoginEncoder#spendAHash}): for a name unknown to all plugins, and for a password above the length limit. The state of
 * an account is checked after its password. Spring's own provider checks the state first, and so reveals locked accounts to
 * unauthenticated callers. If the store throws an {@code AuthenticationException} of Spring Security, the login is rejected as
 * with a wrong password; an {@code AuthenticationServiceException} is an outage. The service's {@code CompromisedPasswordChecker}
 * is asked about each right password.
 *
 * <p>A revocation of an account ends its remember-me cookies in Spring Security's {@code PersistentTokenRepository}, if the service
 * has one as a bean. Safe for use by any number of threads.
 */
public final class UserDetailsPlugin implements LoginSource<PasswordCredentials>, CredentialsRevoker {

    /** The name of this plugin. */
    public static final String NAME = "users";

    /** Before the service's own plugins without an order: an account known here waits for no network. */
    static final int ORDER = 0;

    private static final Logger LOG = LoggerFactory.getLogger(UserDetailsPlugin.class);

    /** Beyond the length of any person's password; a longer value causes no hash of the value. */
    private static final int MAX_PASSWORD_BYTES = 1024;

    /** The store has rejected the account before the password check. So the reason must be the same as for a wrong password. */
    private static final Rejected REFUSED_BY_STORE =
            Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("refused_by_store");

    /** A right password that the service's checker knows as compromised. The account needs a new password. */
    static final Rejected COMPROMISED =
            Rejected.because(RejectionReason.CREDENTIALS_EXPIRED).withDetail("compromised");

    private final UserDetailsService users;
    private final LoginEncoder encoder;
    private final @Nullable StoredPasswords upgrades;
    private final @Nullable PasswordUpgrade later;
    private final Predicate<String> remembered;
    private final Predicate<CharSequence> compromised;

    private volatile boolean closed;

    /**
     * @param upgrades replaces an outdated hash within the login; null without such a store
     */
    UserDetailsPlugin(UserDetailsService users, LoginEncoder encoder, @Nullable UserDetailsPasswordService upgrades) {
        this(
                users,
                encoder,
                upgrades == null ? null : new UserDetailsStoredPasswords(users, upgrades),
                null,
                username -> false,
                password -> false);
    }

    private UserDetailsPlugin(
            UserDetailsService users,
            LoginEncoder encoder,
            @Nullable StoredPasswords upgrades,
            @Nullable PasswordUpgrade later,
            Predicate<String> remembered,
            Predicate<CharSequence> compromised) {
        this.users = users;
        this.encoder = encoder;
        this.upgrades = upgrades;
        this.later = later;
        this.remembered = remembered;
        this.compromised = compromised;
    }

    /** The same, with outdated hashes replaced in this store within the login. */
    UserDetailsPlugin upgradingIn(StoredPasswords store) {
        return new UserDetailsPlugin(users, encoder, store, null, remembered, compromised);
    }

    /**
     * The same, with outdated hashes replaced after the login. The replacement changes the stamp of the account, so this is not
     * for logins with a refresh token.
     */
    UserDetailsPlugin upgradingBy(PasswordUpgrade later) {
        return new UserDetailsPlugin(users, encoder, null, later, remembered, compromised);
    }

    /** The same, with remember-me cookies that a revocation ends, see {@link RememberedLogins}. */
    UserDetailsPlugin ending(Predicate<String> remembered) {
        return new UserDetailsPlugin(users, encoder, upgrades, later, remembered, compromised);
    }

    /** The same, with right passwords rejected that this predicate knows as compromised. */
    UserDetailsPlugin rejecting(Predicate<CharSequence> compromised) {
        return new UserDetailsPlugin(users, encoder, upgrades, later, remembered, compromised);
    }

    UserDetailsService accounts() {
        return users;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials given, RequestContext context) {
        if (closed) {
            return Rejected.because(RejectionReason.NOT_RECOGNIZED);
        }
        if (!Subject.isId(given.username())) {
            return Decision.abstained();
        }
        Optional<UserDetails> user;
        try {
            user = find(given.username());
        } catch (AuthenticationException refusal) {
            spendAHash(given.password());
            return REFUSED_BY_STORE;
        }
        if (user.isEmpty()) {
            return Decision.abstained();
        }
        if (given.password().length() > MAX_PASSWORD_BYTES) {
            spendAHash(given.password());
            return Rejected.because(RejectionReason.MALFORMED).withDetail("too_long");
        }
        return decide(given.username(), user.get(), given.password());
    }

    /** Hashes take permits, and the accounts are the service's own. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public void unrecognized(PasswordCredentials credentials) {
        if (!closed) {
            spendAHash(credentials.password());
        }
    }

    @Override
    public Optional<Verdict> account(String name) {
        if (closed || !Subject.isId(name)) {
            return Optional.empty();
        }
        try {
            return find(name)
                    .map(user -> stateOf(user)
                            .<Verdict>map(Rejected::because)
                            .orElseGet(() -> dated(authenticated(user).withStamp(stampOf(user)), user)));
        } catch (AuthenticationException refusal) {
            return Optional.of(REFUSED_BY_STORE);
        }
    }

    /** A password is not revoked. */
    @Override
    public boolean revoke(Credentials credentials) {
        return false;
    }

    /** Ends later remember-me cookies too: the store of Spring Security has no list of an account's cookies. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        try {
            return remembered.test(subjectId);
        } catch (Exception e) { // Kotlin code may throw undeclared checked exceptions.
            throw AuthUnavailableException.outage("The store of remember-me cookies failed", e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private Decision decide(String name, UserDetails user, Secret password) {
        Optional<RejectionReason> fault = stateOf(user);
        if (!matches(password, user.getPassword(), fault.isPresent())) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        if (fault.isPresent()) {
            return Rejected.because(fault.get());
        }
        if (password.withText(this::isCompromised)) {
            return COMPROMISED;
        }
        upgradeLater(name, user, password);
        return dated(authenticated(user).withStamp(upgraded(name, user.getPassword(), password)), user);
    }

    private boolean isCompromised(CharSequence password) {
        try {
            return compromised.test(password);
        } catch (Exception e) {
            // No cause: Spring Security would take an exception of its own for a rejection.
            throw AuthUnavailableException.outage("The check for compromised passwords failed: "
                    + e.getClass().getName());
        }
    }

    /** The stored hash, because the hash changes with the password. */
    static Secret stampOf(UserDetails user) {
        return Secret.of(Objects.requireNonNullElse(user.getPassword(), ""));
    }

    private static Authenticated dated(Authenticated account, UserDetails user) {
        Instant created = user instanceof DatedUserDetails dated ? dated.created() : null;
        return created == null ? account : account.withCreated(created);
    }

    private static Optional<RejectionReason> stateOf(UserDetails user) {
        if (!user.isEnabled()) {
            return Optional.of(RejectionReason.ACCOUNT_DISABLED);
        }
        if (!user.isAccountNonLocked()) {
            return Optional.of(RejectionReason.ACCOUNT_LOCKED);
        }
        if (!user.isAccountNonExpired()) {
            return Optional.of(RejectionReason.ACCOUNT_EXPIRED);
        }
        return user.isCredentialsNonExpired() ? Optional.empty() : Optional.of(RejectionReason.CREDENTIALS_EXPIRED);
    }

    private static Authenticated authenticated(UserDetails user) {
        return Authenticated.as(Subject.of(user.getUsername())
                        .withAuthorities(
                                FactorAuthorities.names(user.getAuthorities()).toList()))
                .withDetails(user);
    }

    /**
     * @throws AuthenticationException if the store rejects the account by an exception
     */
    private Optional<UserDetails> find(String username) {
        try {
            return Optional.of(users.loadUserByUsername(username));
        } catch (UsernameNotFoundException e) {
            return Optional.empty();
        } catch (Exception e) {
            if (StoreRefusals.isRejection(e)) {
                throw e;
            }
            if (StoreRefusals.isAboutTheName(e)) {
                return Optional.empty();
            }
            throw AuthUnavailableException.outage("The user store failed", e);
        }
    }

    private boolean spendAHash(Secret password) {
        return password.withText(encoder::spendAHash);
    }

    /** No cache for a rejected account: a hit would answer sooner, and so reveal a right password. */
    private boolean matches(Secret password, @Nullable String storedHash, boolean isRefused) {
        if (storedHash == null || storedHash.isEmpty()) {
            return spendAHash(password);
        }
        try {
            return password.withText(
                    text -> isRefused ? encoder.matchesUncached(text, storedHash) : encoder.matches(text, storedHash));
        } catch (IllegalArgumentException e) {
            // Spring's delegating encoder throws for an unknown prefix. The message contains no hash.
            LOG.warn("A stored password hash cannot be checked: {}", e.getMessage());
            return spendAHash(password);
        }
    }

    private void upgradeLater(String name, UserDetails user, Secret password) {
        PasswordUpgrade upgrade = later;
        if (upgrade != null) {
            password.withText(text -> {
                upgrade.afterSuccess(encoder, name, text, user.getPassword());
                return true;
            });
        }
    }

    /**
     * The stored hash afterwards. If the password has changed since the check, the new hash stays: the checked password is the
     * old password. A failed upgrade does not reject the login.
     */
    private Secret upgraded(String name, String stored, Secret password) {
        if (upgrades == null || !encoder.upgradeEncoding(stored)) {
            return Secret.of(stored);
        }
        try {
            String replacement = password.withText(encoder::encode);
            encoder.replaced(stored, replacement);
            return Secret.of(upgrades.replace(name, stored, replacement) ? replacement : stored);
        } catch (Exception | AssertionError | LinkageError e) {
            // Only the type: databases quote the rejected value, or the whole row.
            LOG.warn("A password hash could not be upgraded: {}", e.getClass().getName());
            return Secret.of(stored);
        }
    }
}
