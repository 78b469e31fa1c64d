package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST} a {@code token} as JSON or as a form: from then on it is worthless (RFC 7009).
 *
 * <p>It takes access tokens, refresh tokens, and what a plugin reads in place of a bearer token, an API key or
 * the token of a remembered device say. Their forms differ, so it needs no
 * {@code token_type_hint}. It answers 200 to any token, good or not. Whoever has a token may end it, so nothing else is asked for.
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
    public int maxBodyBytes() {
        return settings.maxBodyBytes();
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(maxBodyBytes(), fields -> answer(fields.get("token")));
    }

    private Answer answer(@Nullable String token) {
        if (token == null) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        revocation.revoke(token);
        return Answer.of(200).with("Cache-Control", "no-store");
    }
}
