package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.TokenRevocation;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST} with a bearer token: from then on it is worthless, and so is the refresh token that came with it. Or {@code POST} with credentials
 * that a plugin reads from the header, an API key say, which the plugins revoke where they can.
 *
 * <p>It answers 204 to any token, good or not, as RFC 7009 section 2.2 asks: who logs out twice has nothing to mend, and nobody learns whether a
 * token was a good one. Without any token it answers 401, and to several 400.
 */
final class LogoutEndpoint implements TokenEndpoint {

    private final String path;
    private final TokenHeader tokenHeader;
    private final TokenRevocation revocation;
    private final AuthChain plugins;

    LogoutEndpoint(String path, TokenHeader tokenHeader, TokenRevocation revocation, AuthChain plugins) {
        this.path = path;
        this.tokenHeader = tokenHeader;
        this.revocation = revocation;
        this.plugins = plugins;
    }

    @Override
    public String path() {
        return path;
    }

    /** The token is in the header. */
    @Override
    public int maxBodyBytes() {
        return 0;
    }

    @Override
    public Answer answer(EndpointRequest request) {
        if (PresentedCredentials.bearerOrOfPlugins(tokenHeader).areSeveral(request.context(), plugins)) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        List<Credentials> own = plugins.read(request.context());
        if (!own.isEmpty()) {
            plugins.revoke(own.get(0));
            return done();
        }
        Optional<String> token = tokenHeader.textIn(request.headers());
        token.ifPresent(revocation::revoke);
        return token.isPresent() ? done() : Answer.of(BearerChallenge.PLAIN);
    }

    private static Answer done() {
        return Answer.of(204).with("Cache-Control", "no-store");
    }
}
