package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;

/**
 * {@code POST} a {@code token} as JSON or as a form: revokes the token (RFC 7009).
 *
 * <p>Accepts access tokens, refresh tokens, and a plugin's own tokens, such as an API key or the token of a remembered device.
 * The forms differ, so no {@code token_type_hint} is necessary. The answer is 200 for any token, valid or not.
 *
 * <p>Only the registered client of a token may revoke the token here (section 2.1). Every bearer may revoke a token of no client.
 */
record RevokeEndpoint(LatchkeyProperties.Login settings, OAuthClients clients, TokenRevocation revocation)
        implements AuthEndpoint {

    @Override
    public String path() {
        return settings.basePath() + "/revoke";
    }

    @Override
    public boolean readsBody() {
        return true;
    }

    @Override
    public boolean speaksOAuth(EndpointRequest request) {
        return true;
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return clients.withToken(request, OAuthClients.Decision::refusal, this::answer);
    }

    private Answer answer(OAuthClients.Decision client, String token) {
        if (revocation.revoke(token, client.id(), clients.ids()) == Outcome.OF_ANOTHER_CLIENT) {
            return (client.isClient() ? TokenRefusal.TOKEN_OF_ANOTHER_CLIENT : TokenRefusal.INVALID_CLIENT).asError();
        }
        return Answer.of(200).with("Cache-Control", "no-store");
    }
}
