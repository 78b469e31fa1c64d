package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST} a {@code refresh_token} as JSON or as a form, get a new access token and a new refresh token (RFC 6749 section 6).
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
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Map<String, String>> fields = EndpointExchange.read(request, response, settings.maxBodyBytes());
        if (fields.isEmpty()) {
            return;
        }
        String token = fields.get().get(FIELD);
        if (token == null || !fields.get().getOrDefault("grant_type", FIELD).equals(FIELD)) {
            Problem.BAD_REQUEST.writeTo(response);
            return;
        }
        Optional<IssuedTokens> tokens = logins.refresh(token);
        if (tokens.isEmpty()) {
            Problem.INVALID_GRANT.writeTo(response);
            return;
        }
        EndpointExchange.write(settings.response(), tokens.get(), response);
    }
}
