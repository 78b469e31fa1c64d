package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import java.util.Optional;

/**
 * The logout. {@code POST} with a bearer token revokes the token and ends the token's session. {@code POST} with a plugin's own
 * credentials in the header, such as an API key, lets the plugins revoke these credentials if possible. With a bearer token in the
 * header and tokens in cookies, all these tokens are revoked.
 *
 * <p>The answer is 204, for a second logout too. Without a token, and with a token that this node does not accept, the answer is
 * 401: the session of the token may continue, and the client can refresh and log out again. With several credentials the answer
 * is 400.
 */
record LogoutEndpoint(
        LatchkeyProperties.Login settings, TokenHeader tokenHeader, TokenRevocation revocation, AuthChain plugins)
        implements AuthEndpoint {

    private static final Answer DONE = Answer.of(204).with("Cache-Control", "no-store");

    @Override
    public String path() {
        return settings.basePath() + "/logout";
    }

    @Override
    public Answer answer(EndpointRequest request) {
        if (PresentedCredentials.bearerOrOfPlugins(tokenHeader)
                .in(request.context(), plugins)
                .areSeveral()) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        List<Credentials> own = plugins.readers().of(request.context());
        if (!own.isEmpty()) {
            plugins.revoke(own.get(0));
            // The cookies were ignored, so the tokens in the cookies stay valid.
            return DONE;
        }
        Optional<String> access = tokenHeader.textIn(request.headers());
        // The access token of the cookie may have expired earlier.
        Optional<String> refresh = request.carriedRefresh();
        if (access.isEmpty() && refresh.isEmpty()) {
            return Answer.of(BearerChallenge.PLAIN);
        }
        boolean isAccessDone = access.filter(token -> isDone(token, request)).isPresent();
        boolean isRefreshDone =
                refresh.map(revocation::revoke).filter(Outcome.DONE::equals).isPresent();
        // The token in the header field and the tokens in the cookies may be of two sessions.
        boolean isOneSession = access.isEmpty() || access.equals(request.carriedAccess());
        if (!isOneSession) {
            request.carriedAccess().ifPresent(revocation::revoke);
        }
        boolean isDone = isAccessDone || (isRefreshDone && isOneSession);
        return withoutCookies(isDone ? DONE : Answer.of(BearerChallenge.INVALID_TOKEN), request);
    }

    /** Whether the token is revoked, or of a plugin that accepts the token and cannot revoke it. */
    private boolean isDone(String token, EndpointRequest request) {
        return revocation.revoke(token) == Outcome.DONE
                || plugins.authenticate(BearerToken.of(token), request.context()) instanceof Authenticated;
    }

    private static Answer withoutCookies(Answer answer, EndpointRequest request) {
        Answer result = answer;
        List<String> removals = request.cookies().map(LoginCookies::removals).orElse(List.of());
        for (String removal : removals) {
            result = result.withCookie(removal);
        }
        return result;
    }
}
