package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.TokenHeader;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Issues tokens for a login by Spring Security or by the service itself: OAuth2, OpenID Connect, SAML, a one-time token, a
 * passkey, a code by SMS. The tokens are the same as at the login endpoint, with refresh, revocation, the list of sessions and
 * the maximum number.
 *
 * <p>A second step of a plugin is also necessary after such a login, unless {@link TokenOptions#withProved} names the method. A
 * login of an account of this service looks the account up: a disabled account gets no token. A login at an OAuth2 or SAML
 * provider has a subject of its own, {@code oauth2:registration:id} or {@code saml2:registration:id}, and never the name of a
 * local account, unless {@link TokenOptions#asAccount} or {@code latchkey.shared-subjects} says so. Such a subject has no account
 * to look up, so there is no refresh token.
 *
 * <p>Issue tokens when the login succeeds, in its success handler. A login that a session has kept gets no tokens if the account is
 * younger, has another password, or was revoked since. If the login does not keep the stamp of the password, such a login gets no
 * refresh token. Safe for use by any number of threads.
 */
public final class TokenIssuer {

    private final TokenLogin tokens;
    private final SpringLogins logins;

    TokenIssuer(TokenLogin tokens, AuthChain plugins, InstantSource clock) {
        this.tokens = tokens;
        this.logins = new SpringLogins(plugins, clock);
    }

    /**
     * Issues tokens for the calling thread's request, with the options of the service. Without a request, second steps and devices
     * see no client IP.
     *
     * @param login a successful login
     * @return as {@link #issue(Authentication, RequestContext, TokenOptions)}
     */
    public Optional<LoginOutcome> issue(Authentication login) {
        return issue(login, CurrentRequest.context(), TokenOptions.defaults());
    }

    /**
     * Issues tokens, or asks for the missing steps of the login. Looks the account up, so this method may wait for the service's
     * store.
     *
     * <p>If the options set an audience or claims, there is no refresh token, because a refresh could not repeat these options.
     * Use a {@link TokenCustomizer} instead. A refreshed access token has the lifetime of the service, or of the customizer.
     *
     * @param login a successful login. The token gets its authorities. If these differ from the account's, there is no refresh
     *     token, because a refresh gives the account's authorities
     * @param context the request of the login
     * @param options of this login
     * @return tokens; or the next step, with a response to the login endpoint; or {@link AccountFull}. Empty if the account is
     *     disabled or unknown, or was revoked or changed since the login, and for a switched user: {@link ActingTokens} are for
     *     that
     * @throws IllegalArgumentException if the login is incomplete, belongs to a single request (a bearer token or an API key), or
     *     has an unknown kind of subject; then use {@link TokenOptions#asAccount}
     * @throws AuthUnavailableException if a store or a plugin does not answer
     */
    public Optional<LoginOutcome> issue(Authentication login, RequestContext context, TokenOptions options) {
        if (options.account().isEmpty() && isOfATokenOf(context, login)) {
            throw SpringLogins.noLogin();
        }
        SpringLogins.Found found = logins.find(login, options);
        if (options.account().isEmpty() && logins.isOfAnActor(login)) {
            return Optional.empty();
        }
        return tokens.issueFor(found::now, found.at(), found.proved(), context, options.ofLogin(login));
    }

    /**
     * Whether a resource server has made the login of the request's token. The converter of a service may make a login of any type,
     * and Spring Security then removes the token from the login.
     */
    private static boolean isOfATokenOf(RequestContext context, Authentication login) {
        return TokenHeader.AUTHORIZATION.isIn(context::header)
                && login.equals(SecurityContextHolder.getContext().getAuthentication());
    }
}
