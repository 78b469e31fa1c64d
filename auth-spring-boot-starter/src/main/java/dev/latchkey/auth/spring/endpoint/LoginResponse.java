package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.RefreshToken;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.nio.charset.StandardCharsets;

/** The answer to a login or a refresh that issued tokens. */
final class LoginResponse {

    /** What Nacos calls the role of its administrators. */
    private static final String NACOS_ADMIN = "ROLE_ADMIN";

    private LoginResponse() {}

    /** In the shape that the service asks for; Nacos' clients read the token from a header field as well. */
    static Answer of(ResponseShape shape, IssuedTokens tokens) {
        Answer answer = Answer.ofJson(body(shape, tokens));
        return shape == ResponseShape.NACOS
                ? answer.with("Authorization", "Bearer " + tokens.access().value())
                : answer;
    }

    /** As JSON in UTF-8. Tokens are made of characters that need no escaping. */
    private static byte[] body(ResponseShape shape, IssuedTokens tokens) {
        String value = tokens.access().value();
        long seconds = tokens.access().lifetime().toSeconds();
        String refresh = tokens.refresh().map(RefreshToken::text).orElse(null);
        String json = switch (shape) {
            case OAUTH ->
                "{\"access_token\":\"" + value + "\",\"token_type\":\"Bearer\",\"expires_in\":" + seconds
                        + (refresh == null ? "" : ",\"refresh_token\":\"" + refresh + "\"") + "}";
            case NACOS ->
                "{\"accessToken\":\"" + value + "\",\"tokenTtl\":" + seconds + ",\"globalAdmin\":"
                        + tokens.subject().authorities().contains(NACOS_ADMIN) + ",\"username\":"
                        + quoted(tokens.subject().id())
                        + (refresh == null ? "" : ",\"refreshToken\":\"" + refresh + "\"") + "}";
        };
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** A subject's id has no control characters, so RFC 8259 section 7 leaves two to be escaped. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
