package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Credentials;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code POST} with a bearer token: from then on it is worthless.
 *
 * <p>Answers 204 for any token, good or not, as RFC 7009 section 2.2 asks: who logs out twice has nothing to mend, and nobody
 * learns whether a token was a good one. Without a token it is 401.
 */
final class LogoutEndpoint implements TokenEndpoint {

    private final String path;
    private final AuthChain plugins;

    LogoutEndpoint(String path, AuthChain plugins) {
        this.path = path;
        this.plugins = plugins;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Credentials> token = RequestCredentials.bearerToken(request);
        if (token.isEmpty()) {
            BearerChallenge.PLAIN.writeTo(response);
            return;
        }
        plugins.revoke(token.get());
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
