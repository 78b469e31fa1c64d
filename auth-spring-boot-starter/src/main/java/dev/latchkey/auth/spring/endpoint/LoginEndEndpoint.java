package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.http.HttpMethod;

/**
 * {@code DELETE} with a bearer token and the id of a session of the same account: revokes all tokens of the session. The session
 * of another account gets the same answer as an unknown id, 404.
 */
final class LoginEndEndpoint implements AuthEndpoint {

    private static final String ID = "id";

    private final LatchkeyProperties.Login settings;
    private final OwnLoginsGate gate;

    LoginEndEndpoint(LatchkeyProperties.Login settings, OwnLoginsGate gate) {
        this.settings = settings;
        this.gate = gate;
    }

    @Override
    public HttpMethod method() {
        return HttpMethod.DELETE;
    }

    @Override
    public String path() {
        return settings.basePath() + "/logins" + "/{" + ID + "}";
    }

    /** The token is in the header, and the id is in the path, because the id is no secret. */
    @Override
    public int maxBodyBytes() {
        return 0;
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return gate.answer(request, bearer -> end(bearer, request.variable(ID)));
    }

    private static Answer end(OwnLogins.Bearer bearer, String id) {
        return bearer.end(id) ? Answer.of(204).with("Cache-Control", "no-store") : Answer.of(Problem.NOT_FOUND);
    }
}
