package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST} a {@code token} as JSON or as a form: from then on it is worthless (RFC 7009).
 *
 * <p>Takes access tokens and refresh tokens and needs no {@code token_type_hint}, since their forms differ. Answers 200 for any
 * token, good or not. Who has a token may end it, so nothing else is asked for.
 */
final class RevokeEndpoint implements TokenEndpoint {

    private final LatchkeyProperties.Login settings;
    private final TokenRevocation revocation;

    RevokeEndpoint(LatchkeyProperties.Login settings, TokenRevocation revocation) {
        this.settings = settings;
        this.revocation = revocation;
    }

    @Override
    public String path() {
        return settings.revokePath();
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Map<String, String>> fields = EndpointExchange.read(request, response, settings.maxBodyBytes());
        if (fields.isEmpty()) {
            return;
        }
        String token = fields.get().get("token");
        if (token == null) {
            Problem.BAD_REQUEST.writeTo(response);
            return;
        }
        revocation.revoke(token);
        response.setStatus(HttpServletResponse.SC_OK);
        response.setHeader("Cache-Control", "no-store");
    }
}
