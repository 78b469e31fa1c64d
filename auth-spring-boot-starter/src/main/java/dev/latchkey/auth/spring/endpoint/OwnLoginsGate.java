package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import java.util.function.Function;

/**
 * Admits only bearers of a valid access token to the sessions of the account. The answer is 401 without a valid token, and 400
 * with several credentials. The token must be in a header field, so pages of other origins cannot send the request.
 */
final class OwnLoginsGate {

    private final OwnLogins logins;
    private final TokenHeader tokenHeader;
    private final AuthChain plugins;

    OwnLoginsGate(OwnLogins logins, TokenHeader tokenHeader, AuthChain plugins) {
        this.logins = logins;
        this.tokenHeader = tokenHeader;
        this.plugins = plugins;
    }

    Answer answer(EndpointRequest request, Function<OwnLogins.Bearer, Answer> answer) {
        if (PresentedCredentials.bearerOrOfPlugins(tokenHeader)
                .in(request.context(), plugins)
                .areSeveral()) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        return tokenHeader
                .textIn(request.headers())
                .map(token -> logins.bearerOf(token)
                        .map(bearer -> bearer.actor().isPresent()
                                ? Answer.of(BearerChallenge.INSUFFICIENT_SCOPE)
                                : answer.apply(bearer))
                        .orElseGet(() -> Answer.of(BearerChallenge.INVALID_TOKEN)))
                .orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }
}
