package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.TokenRevocation;

/**
 * {@code POST} with a bearer token: from then on it is worthless, and so is the refresh token that came with it.
 *
 * <p>Answers 204 for any token, good or not, as RFC 7009 section 2.2 asks: who logs out twice has nothing to mend, and nobody
 * learns whether a token was a good one. Without a token it is 401.
 */
final class LogoutEndpoint implements TokenEndpoint {

    private final String path;
    private final TokenHeader tokenHeader;
    private final TokenRevocation revocation;

    LogoutEndpoint(String path, TokenHeader tokenHeader, TokenRevocation revocation) {
        this.path = path;
        this.tokenHeader = tokenHeader;
        this.revocation = revocation;
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
        return tokenHeader
                .textIn(request.headers())
                .map(this::answer)
                .orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }

    private Answer answer(String token) {
        revocation.revoke(token);
        return Answer.of(204).with("Cache-Control", "no-store");
    }
}
