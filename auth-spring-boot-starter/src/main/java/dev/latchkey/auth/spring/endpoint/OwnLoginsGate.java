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
 * Lets whoever presents a good access token to the logins of the account, and nobody else. It answers 401 where there is no token or one that is not
 * good, and 400 to several credentials. A token is wanted in a header field, so no page of another origin can ask for this in somebody's name.
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
        if (PresentedCredentials.bearerOrOfPlugins(tokenHeader).areSeveral(request.context(), plugins)) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        return tokenHeader
                .textIn(request.headers())
                .map(token ->
                        logins.bearerOf(token).map(answer).orElseGet(() -> Answer.of(BearerChallenge.INVALID_TOKEN)))
                .orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }
}
