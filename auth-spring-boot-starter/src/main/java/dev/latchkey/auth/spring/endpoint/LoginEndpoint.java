package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.TokenLogin;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * {@code POST} a name and a password as JSON or as a form, get an access token.
 *
 * <p>A page of another origin can post a form here, and gains nothing: no cookie is set and no session begun, so there is no login to
 * forge, and the answer is not its to read. The body is bounded before it is parsed, nothing is taken from the URL, and every
 * refusal for its credentials is the same 401.
 */
final class LoginEndpoint implements TokenEndpoint {

    private final LatchkeyProperties.Login settings;
    private final TokenLogin login;

    LoginEndpoint(LatchkeyProperties.Login settings, TokenLogin login) {
        this.settings = settings;
        this.login = login;
    }

    @Override
    public String path() {
        return settings.path();
    }

    @Override
    public int maxBodyBytes() {
        return settings.maxBodyBytes();
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(
                maxBodyBytes(),
                fields -> LoginRequest.from(withNacosUsername(fields, request))
                        .map(credentials -> answer(credentials, request.context()))
                        .orElseGet(() -> Answer.of(Problem.BAD_REQUEST)));
    }

    private Answer answer(PasswordCredentials credentials, RequestContext context) {
        return login.login(credentials, context)
                .map(tokens -> LoginResponse.of(settings.response(), tokens))
                .orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }

    /** The clients of Nacos put the name, which is no secret, into the URL and the password into the body. */
    private Map<String, String> withNacosUsername(Map<String, String> fields, EndpointRequest request) {
        if (settings.response() != ResponseShape.NACOS || fields.containsKey("username")) {
            return fields;
        }
        Map<String, String> all = new HashMap<>(fields);
        request.query()
                .flatMap(query -> BodyFormat.FORM.read(query.getBytes(StandardCharsets.UTF_8)))
                .map(parameters -> parameters.get("username"))
                .ifPresent(username -> all.put("username", username));
        return all;
    }
}
