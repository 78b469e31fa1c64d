package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.util.Objects;

/**
 * The token endpoint at a second path, for clients with a path of their own: clients of Nacos, or clients of the service before
 * Latchkey.
 */
final class LoginEndpoint implements AuthEndpoint {

    private final String path;
    private final Dialect plain;
    private final TokenEndpoint tokens;

    LoginEndpoint(LatchkeyProperties.Login settings, TokenEndpoint tokens) {
        this.path = Objects.requireNonNull(settings.path(), "latchkey.login.path");
        this.plain = settings.response() == ResponseShape.NACOS ? Dialect.NACOS : Dialect.PLAIN;
        this.tokens = tokens;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public int maxBodyBytes() {
        return tokens.maxBodyBytes();
    }

    @Override
    public boolean speaksOAuth(EndpointRequest request) {
        return tokens.speaksOAuth(request);
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return tokens.answer(request, plain);
    }
}
