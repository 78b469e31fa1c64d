package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.Secret;
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
 * on arrival; then the credentials are checked once more, since the first check may have seen the old password.
 *
 * <p>A refresh token belongs to the password that was checked: the plugin says by a stamp which one that was. Where its account has
 * another stamp by now, the password was changed, or the login itself renewed an outdated hash. Only the password can tell which, so
 * it is checked once more. If that does not settle it, the login cannot be prolonged.
 */
public final class TokenLogin {

    /** A revocation is rounded up to a whole second; one that reaches further into the future is meant as a ban. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

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
    public Optional<IssuedTokens> login(PasswordCredentials credentials, RequestContext context) {
        Instant start = clock.instant();
        Authenticated login = check(credentials, context);
        if (login == null) {
            return Optional.empty();
        }
        Instant notBefore = revocations.notBefore(login.subject().id());
        if (!notBefore.isAfter(start)) {
            return issue(login, start);
        }
        login = check(credentials, context);
        if (login == null || notBefore.isAfter(clock.instant().plus(ROUNDING))) {
            return Optional.empty();
        }
        return issue(login, notBefore);
    }

    private @Nullable Authenticated check(PasswordCredentials credentials, RequestContext context) {
        Authenticated login = checkOnce(credentials, context);
        boolean isSettled =
                login == null || refreshable == null || login.stamp() == null || refreshable.canProlong(login);
        return isSettled ? login : checkOnce(credentials, context);
    }

    private @Nullable Authenticated checkOnce(PasswordCredentials credentials, RequestContext context) {
        return plugins.authenticate(credentials, context) instanceof Authenticated login ? login : null;
    }

    private Optional<IssuedTokens> issue(Authenticated login, Instant issuedAt) {
        Secret stamp = login.stamp();
        if (refreshable != null && stamp != null && refreshable.canProlong(login)) {
            return refreshable.start(login, stamp, issuedAt);
        }
        return accessTokens
                .issue(login.subject(), issuedAt, login.validUntil(), null)
                .map(access -> new IssuedTokens(login.subject(), access, null));
    }
}
