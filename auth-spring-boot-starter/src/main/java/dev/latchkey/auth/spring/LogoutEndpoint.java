package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code POST} with a bearer token: from then on it is worthless, and so is the refresh token that came with it.
 *
 * <p>Answers 204 for any token, good or not, as RFC 7009 section 2.2 asks: who logs out twice has nothing to mend, and nobody
 * learns whether a token was a good one. Without a token it is 401.
 */
final class LogoutEndpoint implements TokenEndpoint {

    private final String path;
    private final TokenRevocation revocation;

    LogoutEndpoint(String path, TokenRevocation revocation) {
        this.path = path;
        this.revocation = revocation;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<String> token = RequestCredentials.bearerText(request);
        if (token.isEmpty()) {
            BearerChallenge.PLAIN.writeTo(response);
            return;
        }
        revocation.revoke(token.get());
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
