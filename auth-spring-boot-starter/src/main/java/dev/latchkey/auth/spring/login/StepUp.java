package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Proves a login again, for a payment or a new e-mail address: the account's owner enters the password again, and each second
 * step. The result is a short-lived token of the same session with the current time in {@code amr} and {@code auth_time}. A rule
 * asks for such a token by {@code RecentProof} (RFC 9470). No node keeps state for this token, so each node accepts the token.
 *
 * <p>A failed proof counts as a failed login. The end of the session, and a revocation of all tokens of the account, revoke the
 * token too. Safe for use by any number of threads. The method waits for plugins, so a WebFlux service needs a thread that may
 * block.
 */
public final class StepUp {

    private final AuthChain plugins;
    private final AccessTokens tokens;
    private final InstantSource clock;

    StepUp(AuthChain plugins, AccessTokens tokens, InstantSource clock) {
        this.plugins = plugins;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * Proves the login of this token.
     *
     * @param accessToken of the present session, as sent with the request
     * @param credentials of the same account: its name and its password
     * @param responses the fields for each second step, such as {@code code}; a remembered device does not replace a step
     * @param context of the request
     * @param lifetime of the new token; the token expires no later than the presented token, and no later than {@code
     *     latchkey.jwt.lifetime} from now
     * @return empty if the token or the proof is invalid, the proof is of another account, or a step is missing
     * @throws AuthUnavailableException if no decision was reached, or the account or the client is over a limit
     */
    public Optional<AccessToken> prove(
            String accessToken,
            Credentials credentials,
            Map<String, Secret> responses,
            RequestContext context,
            Duration lifetime) {
        Instant begun = clock.instant();
        PresentLogin present = PresentLogin.of(accessToken, tokens).orElse(null);
        if (present == null
                || !(plugins.prove(credentials, responses, context, ignored -> {}) instanceof Authenticated proved)
                || !proved.subject().id().equals(present.subjectId())
                || !plugins.isStillProved(proved, credentials, context)) {
            return Optional.empty();
        }
        TokenContext login = TokenContext.ofLogin(proved, context, TokenOptions.defaults());
        return tokens.issueFurther(
                login,
                begun,
                AccessTokens.earliest(begun.plus(lifetime), present.expiresAt(), proved.validUntil()),
                present,
                AccessTokens.proofOf(proved.factors()));
    }
}
