package dev.latchkey.auth.spring;

import dev.latchkey.auth.spring.LatchkeyProperties.ResponseShape;
import java.nio.charset.StandardCharsets;

/** The body of the answer to a login or a refresh. */
final class LoginResponse {

    /** What Nacos calls the role of its administrators. */
    private static final String NACOS_ADMIN = "ROLE_ADMIN";

    private LoginResponse() {}

    /** As JSON in UTF-8. Tokens are made of characters that need no escaping. */
    static byte[] body(ResponseShape shape, IssuedTokens tokens) {
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
