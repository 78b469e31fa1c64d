package dev.latchkey.auth.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.spring.LatchkeyProperties.ResponseShape;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Map<String, String>> fields = EndpointExchange.read(request, response, settings.maxBodyBytes());
        if (fields.isEmpty()) {
            return;
        }
        Optional<PasswordCredentials> credentials = LoginRequest.from(withNacosUsername(fields.get(), request));
        if (credentials.isEmpty()) {
            Problem.BAD_REQUEST.writeTo(response);
            return;
        }
        Optional<IssuedTokens> tokens = login.login(credentials.get());
        if (tokens.isEmpty()) {
            BearerChallenge.PLAIN.writeTo(response);
            return;
        }
        EndpointExchange.write(settings.response(), tokens.get(), response);
    }

    /** The clients of Nacos put the name, which is no secret, into the URL and the password into the body. */
    private Map<String, String> withNacosUsername(Map<String, String> fields, HttpServletRequest request) {
        String query = request.getQueryString();
        if (settings.response() != ResponseShape.NACOS || query == null || fields.containsKey("username")) {
            return fields;
        }
        Map<String, String> all = new HashMap<>(fields);
        BodyFormat.FORM
                .read(query.getBytes(StandardCharsets.UTF_8))
                .map(parameters -> parameters.get("username"))
                .ifPresent(username -> all.put("username", username));
        return all;
    }
}
