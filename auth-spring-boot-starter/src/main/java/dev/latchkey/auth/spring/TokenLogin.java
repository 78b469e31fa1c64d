package dev.latchkey.auth.spring;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges a name and a password for a token, and for a refresh token where {@link RefreshableLogins} are there.
 *
 * <p>The hard part is a password that changes meanwhile. A token counts as issued when its login began, so that a revocation
 * between then and now covers it. After a revocation in the same second the token must be dated past it, or it would be dead
 * on arrival; then the credentials are checked once more, since the first check may have seen the old password. The account
 * is looked up before its password is checked, so that a refresh token never belongs to a password that was not checked, and
 * again afterwards: it has another hash by then if the password was changed, or if the login itself renewed an outdated one.
 * Only the password can tell which, so it is checked against that hash too.
 */
final class TokenLogin {

    /** A revocation is rounded up to a whole second; one that reaches further into the future is meant as a ban. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    private record Proof(Authenticated login, @Nullable Account account) {}

    private final AuthChain plugins;
    private final AccessTokens accessTokens;
    private final RevocationStore revocations;
    private final InstantSource clock;
    private final @Nullable RefreshableLogins refreshable;

    TokenLogin(
            AuthChain plugins,
            AccessTokens accessTokens,
            RevocationStore revocations,
            InstantSource clock,
            @Nullable RefreshableLogins refreshable) {
        this.plugins = plugins;
        this.accessTokens = accessTokens;
        this.revocations = revocations;
        this.clock = clock;
        this.refreshable = refreshable;
    }

    /** The tokens; empty where the credentials are not accepted, for whatever reason. */
    Optional<IssuedTokens> login(PasswordCredentials credentials) {
        Instant start = clock.instant();
        Proof proof = check(credentials);
        if (proof == null) {
            return Optional.empty();
        }
        Instant notBefore = revocations.notBefore(proof.login().subject().id());
        if (!notBefore.isAfter(start)) {
            return issue(proof, start);
        }
        proof = check(credentials);
        if (proof == null || notBefore.isAfter(clock.instant().plus(ROUNDING))) {
            return Optional.empty();
        }
        return issue(proof, notBefore);
    }

    private @Nullable Proof check(PasswordCredentials credentials) {
        Proof proof = checkOnce(credentials);
        return proof == null || isOfThePresentHash(proof, credentials.username()) ? proof : checkOnce(credentials);
    }

    private boolean isOfThePresentHash(Proof proof, String name) {
        Account then = proof.account();
        return then == null
                || plugins.account(name)
                        .filter(now -> now.stamp().matches(then.stamp()))
                        .isPresent();
    }

    private @Nullable Proof checkOnce(PasswordCredentials credentials) {
        Account account = refreshable == null
                ? null
                : plugins.account(credentials.username()).orElse(null);
        return GuardedChain.authenticate(plugins, credentials) instanceof Authenticated login
                ? new Proof(login, account)
                : null;
    }

    private Optional<IssuedTokens> issue(Proof proof, Instant issuedAt) {
        Authenticated login = proof.login();
        Account account = proof.account();
        if (refreshable != null && account != null && isOf(account, login)) {
            return refreshable.start(login, account, issuedAt);
        }
        return accessTokens
                .issue(login.subject(), issuedAt, login.validUntil(), null)
                .map(access -> new IssuedTokens(login.subject(), access, null));
    }

    /** A plugin may know an account by another name than the one that another plugin authenticated. */
    private static boolean isOf(Account account, Authenticated login) {
        return account.state() instanceof Authenticated state
                && state.subject().id().equals(login.subject().id());
    }
}
