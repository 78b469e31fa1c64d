package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.LoginListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Lets an account act as another account for a time, for example a supporter as a customer. The token has the other account as
 * subject, with the other account's authorities. The claim {@code act} names the actor (RFC 8693 section 4.1). A controller
 * reads the actor from {@link Subject#actor}.
 *
 * <p>An {@link ActingRule} decides about each request. There is no refresh token. An acting token and an API key cannot start
 * another acting token. An acting token manages none of the account's sessions and credentials. The token ends with the
 * session of the actor, and with a revocation of all tokens of either account. A logout with the token ends only the token.
 * Each start reaches the {@link LoginListener listeners}, and so the audit.
 *
 * <p>Safe for use by any number of threads. The method waits for plugins and stores, so a WebFlux service needs a thread that
 * may block.
 */
public final class ActingTokens {

    private final AuthChain plugins;
    private final AccessTokens tokens;
    private final ActingRule rule;
    private final LoginListener listener;
    private final InstantSource clock;

    ActingTokens(AuthChain plugins, AccessTokens tokens, ActingRule rule, LoginListener listener, InstantSource clock) {
        this.plugins = plugins;
        this.tokens = tokens;
        this.rule = rule;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Issues an acting token.
     *
     * @param accessToken of the actor's session, as sent with the request
     * @param account the id of the other account, as {@code Authentication.getName()} returns the id
     * @param lifetime of the token; the token expires no later than the presented token, and no later than {@code
     *     latchkey.jwt.lifetime} from now
     * @return empty if the rule rejects, if the presented token is invalid or an acting token, or if either account is not active
     * @throws AuthUnavailableException if a plugin or a store does not answer
     */
    public Optional<AccessToken> actAs(String accessToken, String account, Duration lifetime) {
        Instant begun = clock.instant();
        PresentLogin present = PresentLogin.of(accessToken, tokens).orElse(null);
        if (present == null
                || present.subjectId().equals(account)
                || !Subject.isId(account)
                || !(plugins.authenticate(BearerToken.of(accessToken)) instanceof Authenticated actor)
                || !actor.subject().id().equals(present.subjectId())
                || !mayLogIn(present.subjectId())) {
            return Optional.empty();
        }
        Optional<AccessToken> token = accountOf(account, plugins)
                .filter(other -> rule.mayAct(actor.subject(), other.subject()))
                .flatMap(other -> tokens.issueFurther(
                        TokenContext.ofLogin(
                                other.withFactors(Factors.none()), RequestContext.none(), TokenOptions.defaults()),
                        begun,
                        AccessTokens.earliest(begun.plus(lifetime), present.expiresAt(), other.validUntil()),
                        present,
                        claims -> claims.with(Subject.ACTOR_CLAIM, Map.of("sub", present.subjectId()))));
        if (token.isPresent()) {
            listener.acting(present.subjectId(), account);
        }
        return token;
    }

    /** An access token is valid until it expires, so the account is looked up. The account of a token may be outside of the plugins. */
    private boolean mayLogIn(String actor) {
        return stateOf(actor, plugins).map(Authenticated.class::isInstance).orElse(true);
    }

    /** The active account with this id. */
    static Optional<Authenticated> accountOf(String id, AuthChain plugins) {
        return stateOf(id, plugins)
                .filter(Authenticated.class::isInstance)
                .map(Authenticated.class::cast)
                .filter(state -> state.subject().id().equals(id));
    }

    /** The first plugin with this account decides: ids distinguish the accounts of plugins. */
    private static Optional<Verdict> stateOf(String id, AuthChain plugins) {
        for (String plugin : plugins.pluginNames()) {
            Optional<Verdict> found = plugins.decidedLogins().account(plugin, id);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
