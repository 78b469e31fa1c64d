package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Map;

/**
 * {@code POST} a {@code refresh_token} as JSON or as a form, and get a new access token and a new refresh token (RFC 6749 section 6).
 *
 * <p>A {@code grant_type} may be there, and must then be {@code refresh_token}. A token that is not good is answered with 400 and
 * {@code invalid_grant}, whatever is wrong with it.
 */
final class RefreshEndpoint implements TokenEndpoint {

    private static final String FIELD = "refresh_token";

    private final LatchkeyProperties.Login settings;
    private final RefreshableLogins logins;

    RefreshEndpoint(LatchkeyProperties.Login settings, RefreshableLogins logins) {
        this.settings = settings;
        this.logins = logins;
    }

    @Override
    public String path() {
        return settings.refresh().path();
    }

    @Override
    public int maxBodyBytes() {
        return settings.maxBodyBytes();
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(maxBodyBytes(), this::answer);
    }

    private Answer answer(Map<String, String> fields) {
        String token = fields.get(FIELD);
        if (token == null || !fields.getOrDefault("grant_type", FIELD).equals(FIELD)) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        return logins.refresh(token)
                .map(tokens -> LoginResponse.of(settings.response(), tokens))
                .orElseGet(() -> Answer.of(Problem.INVALID_GRANT));
    }
}
