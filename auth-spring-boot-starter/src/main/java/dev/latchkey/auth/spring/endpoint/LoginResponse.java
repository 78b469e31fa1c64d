package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.RefreshToken;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
                        + member("refresh_token", refresh)
                        + tokens.device()
                                .map(device -> member("device_token", text(device)) + ",\"device_expires_in\":"
                                        + device.lifetime().toSeconds())
                                .orElse("")
                        + "}";
            case NACOS ->
                "{\"accessToken\":\"" + value + "\",\"tokenTtl\":" + seconds + ",\"globalAdmin\":"
                        + tokens.subject().authorities().contains(NACOS_ADMIN) + ",\"username\":"
                        + JsonText.quoted(tokens.subject().id())
                        + member("refreshToken", refresh)
                        + tokens.device()
                                .map(device -> member("deviceToken", text(device)) + ",\"deviceTokenTtl\":"
                                        + device.lifetime().toSeconds())
                                .orElse("")
                        + "}";
        };
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String member(String name, @Nullable String token) {
        return token == null ? "" : ",\"" + name + "\":\"" + token + "\"";
    }

    private static String text(RememberedDevice device) {
        return device.token().withText(CharSequence::toString);
    }
}
