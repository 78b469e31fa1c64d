package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST} with a bearer token: revokes the token and the refresh token of the same session. Or {@code POST} with a plugin's
 * own credentials in the header, such as an API key: the plugins revoke these credentials if possible.
 *
 * <p>The answer is 204 for any token, valid or not, as in RFC 7009 section 2.2: a second logout is no error, and the answer does
 * not reveal valid tokens. Without a token the answer is 401, and with several 400.
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
            // The cookies were ignored, so their tokens go on.
            return DONE;
        }
        Optional<String> token = tokenHeader.textIn(request.headers());
        token.ifPresent(revocation::revoke);
        // The access token of the cookie may have expired before.
        Optional<String> refresh = request.carriedRefresh();
        refresh.ifPresent(revocation::revoke);
        return token.isPresent() || refresh.isPresent() ? done(request) : Answer.of(BearerChallenge.PLAIN);
    }

    private static Answer done(EndpointRequest request) {
        Answer done = DONE;
        List<String> removals = request.cookies().map(LoginCookies::removals).orElse(List.of());
        for (String removal : removals) {
            done = done.withCookie(removal);
        }
        return done;
    }
}
