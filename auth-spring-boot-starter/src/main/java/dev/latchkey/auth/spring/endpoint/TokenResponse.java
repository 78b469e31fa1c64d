package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.RefreshToken;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answer to a login or a refresh that issued tokens. */
final class TokenResponse {

    /** The administrator role of Nacos. */
    private static final String NACOS_ADMIN = "ROLE_ADMIN";

    private static final String ISSUED_TYPE = "issued_token_type";

    /** RFC 8693 section 3. */
    private static final String ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

    private static final Set<String> TAKEN = Set.of(
            ISSUED_TYPE,
            "access_token",
            "token_type",
            "expires_in",
            "refresh_token",
            "device_token",
            "device_expires_in",
            "accessToken",
            "tokenTtl",
            "globalAdmin",
            "username",
            "refreshToken",
            "deviceToken",
            "deviceTokenTtl");

    private TokenResponse() {}

    /** Clients of Nacos read the token from a header field as well. RFC 6749 section 5.1 asks for both fields against caches. */
    static Answer of(Dialect dialect, IssuedTokens tokens) {
        Answer answer = Answer.ofJson(body(dialect, tokens));
        return switch (dialect) {
            case OAUTH, EXCHANGE -> answer.with("Pragma", "no-cache");
            case PLAIN -> answer;
            case NACOS ->
                answer.with("Authorization", "Bearer " + tokens.access().value());
        };
    }

    /** For tokens in cookies: their lifetime, and the service's own fields. */
    static Answer withoutTokens(IssuedTokens tokens) {
        String json = "{\"expires_in\":" + tokens.access().lifetime().toSeconds() + deviceOf(tokens)
                + membersOf(tokens.answer()) + "}";
        return Answer.ofJson(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String deviceOf(IssuedTokens tokens) {
        return tokens.device()
                .map(device -> member("device_token", text(device)) + ",\"device_expires_in\":"
                        + device.lifetime().toSeconds())
                .orElse("");
    }

    /** As JSON in UTF-8. Tokens are made of characters that need no escaping. */
    private static byte[] body(Dialect dialect, IssuedTokens tokens) {
        String value = tokens.access().value();
        long seconds = tokens.access().lifetime().toSeconds();
        String refresh = tokens.refresh().map(RefreshToken::text).orElse(null);
        String more = membersOf(tokens.answer());
        String json = switch (dialect) {
            case OAUTH, EXCHANGE, PLAIN ->
                "{\"access_token\":\"" + value + "\",\"token_type\":\"Bearer\",\"expires_in\":" + seconds
                        + (dialect == Dialect.EXCHANGE ? member(ISSUED_TYPE, ACCESS_TOKEN_TYPE) : "")
                        + member("refresh_token", refresh)
                        + deviceOf(tokens)
                        + more
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
                        + more
                        + "}";
        };
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** The service's own fields. The names of the standard are taken: two members of one name would be read as either. */
    private static String membersOf(Map<String, Object> fields) {
        StringBuilder members = new StringBuilder();
        fields.forEach((name, value) -> {
            if (TAKEN.contains(name)) {
                throw new IllegalArgumentException("The answer to a login has the field '" + name + "' already");
            }
            members.append(',').append(JsonText.quoted(name)).append(':').append(JsonText.of(value));
        });
        return members.toString();
    }

    private static String member(String name, @Nullable String text) {
        return text == null ? "" : ",\"" + name + "\":\"" + text + "\"";
    }

    private static String text(RememberedDevice device) {
        return device.token().withText(CharSequence::toString);
    }
}
