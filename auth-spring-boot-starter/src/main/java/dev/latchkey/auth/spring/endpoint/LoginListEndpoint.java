package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.http.HttpMethod;

/**
 * {@code GET} with a bearer token: the logins of its account, the newest first, and which one of them the token belongs to.
 *
 * <p>Their ids are good for {@link LoginEndEndpoint} and for nothing else: they are digests, from which no token can be made.
 */
final class LoginListEndpoint implements TokenEndpoint {

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
        return settings.logins().path();
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
