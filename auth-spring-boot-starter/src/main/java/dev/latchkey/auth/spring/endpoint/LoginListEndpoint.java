package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.http.HttpMethod;

/**
 * {@code GET} with a bearer token: the sessions of its account, the newest first, with a mark for the token's own session.
 *
 * <p>The ids are digests, only for {@link LoginEndEndpoint}: no token can be derived from an id.
 */
final class LoginListEndpoint implements AuthEndpoint {

    private final LatchkeyProperties.Login settings;
    private final OwnLoginsGate gate;

    LoginListEndpoint(LatchkeyProperties.Login settings, OwnLoginsGate gate) {
        this.settings = settings;
        this.gate = gate;
    }

    @Override
    public HttpMethod method() {
        return HttpMethod.GET;
    }

    @Override
    public String path() {
        return settings.basePath() + "/logins";
    }

    /** The token is in the header. */
    @Override
    public int maxBodyBytes() {
        return 0;
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return gate.answer(request, LoginListEndpoint::list);
    }

    private static Answer list(OwnLogins.Bearer bearer) {
        return Answer.ofJson(LoginList.of(bearer.logins(), bearer::isPresent));
    }
}
