package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Map;

/**
 * {@code POST} a {@code token} as JSON or as a form: revokes the token (RFC 7009).
 *
 * <p>Accepts access tokens, refresh tokens, and a plugin's own tokens, such as an API key or the token of a remembered device.
 * The forms differ, so no {@code token_type_hint} is necessary. The answer is 200 for any token, valid or not.
 *
 * <p>Only the registered client of a token may revoke the token here (section 2.1). Every bearer may revoke a token of no client.
 */
final class RevokeEndpoint implements AuthEndpoint {

    private final LatchkeyProperties.Login settings;
    private final OAuthClients clients;
    private final TokenRevocation revocation;

    RevokeEndpoint(LatchkeyProperties.Login settings, OAuthClients clients, TokenRevocation revocation) {
        this.settings = settings;
        this.clients = clients;
        this.revocation = revocation;
    }

    @Override
    public String path() {
        return settings.basePath() + "/revoke";
    }

    @Override
    public int maxBodyBytes() {
        return settings.maxBodyBytes();
    }

    @Override
    public boolean speaksOAuth(EndpointRequest request) {
        return true;
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(maxBodyBytes(), fields -> answer(request, fields), TokenRefusal::unreadable);
    }

    private Answer answer(EndpointRequest request, Map<String, String> fields) {
        OAuthClients.Decision client = clients.of(request, fields);
        if (client.refusal().isPresent()) {
            return client.refusal().get().asError();
        }
        String token = fields.get("token");
        if (token == null || request.query().isPresent()) {
            return TokenRefusal.INVALID_REQUEST.asError();
        }
        if (!revocation.revoke(token, client.id(), clients.ids())) {
            return (client.isClient() ? TokenRefusal.TOKEN_OF_ANOTHER_CLIENT : TokenRefusal.INVALID_CLIENT).asError();
        }
        return Answer.of(200).with("Cache-Control", "no-store");
    }
}
