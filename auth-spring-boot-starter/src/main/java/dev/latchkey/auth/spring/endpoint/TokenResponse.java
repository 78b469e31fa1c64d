package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.RefreshToken;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer to a login or a refresh that issued tokens. */
final class TokenResponse {

    /** The administrator role of Nacos. */
    private static final String NACOS_ADMIN = "ROLE_ADMIN";

    private static final String ISSUED_TYPE = "issued_token_type";

    /** RFC 8693 section 3. */
    private static final String ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

    private TokenResponse() {}

    /**
     * Clients of Nacos read the token from a header field as well. RFC 6749 section 5.1 requires {@code Cache-Control} and
     * {@code Pragma} against caches.
     */
    static Answer of(Dialect dialect, IssuedTokens tokens) {
        String token = tokens.access().value();
        return switch (dialect) {
            case OAUTH, EXCHANGE ->
                answer(oauth(dialect, tokens), tokens.answer()).with("Pragma", "no-cache");
            case PLAIN -> answer(oauth(dialect, tokens), tokens.answer());
            case NACOS -> answer(nacos(tokens), tokens.answer()).with("Authorization", "Bearer " + token);
        };
    }

    /**
     * For tokens in cookies: the lifetime of the access token, the device token if issued, and the service's own fields. A field
     * with a token is left out, because scripts of the page read the answer.
     */
    static Answer withoutTokens(IssuedTokens tokens) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("expires_in", tokens.access().lifetime().toSeconds());
        putDevice(fields, tokens);
        Map<String, Object> own = new LinkedHashMap<>(tokens.answer());
        own.entrySet().removeIf(field -> hasToken(JsonText.of(Map.of(field.getKey(), field.getValue())), tokens));
        return answer(fields, own);
    }

    private static boolean hasToken(String json, IssuedTokens tokens) {
        return json.contains(tokens.access().value())
                || tokens.refresh()
                        .map(RefreshToken::text)
                        .filter(json::contains)
                        .isPresent();
    }

    private static Map<String, Object> oauth(Dialect dialect, IssuedTokens tokens) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("access_token", tokens.access().value());
        fields.put("token_type", "Bearer");
        fields.put("expires_in", tokens.access().lifetime().toSeconds());
        if (dialect == Dialect.EXCHANGE) {
            fields.put(ISSUED_TYPE, ACCESS_TOKEN_TYPE);
        }
        tokens.refresh().ifPresent(refresh -> fields.put("refresh_token", refresh.text()));
        putDevice(fields, tokens);
        return fields;
    }

    private static void putDevice(Map<String, Object> fields, IssuedTokens tokens) {
        tokens.device().ifPresent(device -> {
            fields.put("device_token", device.token().withText(CharSequence::toString));
            fields.put("device_expires_in", device.lifetime().toSeconds());
        });
    }

    private static Map<String, Object> nacos(IssuedTokens tokens) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("accessToken", tokens.access().value());
        fields.put("tokenTtl", tokens.access().lifetime().toSeconds());
        fields.put("globalAdmin", tokens.subject().authorities().contains(NACOS_ADMIN));
        fields.put("username", tokens.subject().id());
        tokens.refresh().ifPresent(refresh -> fields.put("refreshToken", refresh.text()));
        tokens.device().ifPresent(device -> {
            fields.put("deviceToken", device.token().withText(CharSequence::toString));
            fields.put("deviceTokenTtl", device.lifetime().toSeconds());
        });
        return fields;
    }

    private static Answer answer(Map<String, Object> fields, Map<String, Object> own) {
        fields.putAll(own);
        return Answer.ofJson(JsonText.of(fields).getBytes(StandardCharsets.UTF_8));
    }
}
