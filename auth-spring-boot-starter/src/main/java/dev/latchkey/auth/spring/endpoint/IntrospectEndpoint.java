package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.login.TokenInspection;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code POST} with a {@code token}, by a registered client: whether the token is good, and its claims (RFC 7662). For every other token the answer is
 * {@code {"active":false}} and nothing else.
 */
final class IntrospectEndpoint implements AuthEndpoint {

    private final LatchkeyProperties.Login settings;
    private final OAuthClients clients;
    private final TokenInspection inspection;

    IntrospectEndpoint(LatchkeyProperties.Login settings, OAuthClients clients, TokenInspection inspection) {
        this.settings = settings;
        this.clients = clients;
        this.inspection = inspection;
    }

    @Override
    public String path() {
        return settings.basePath() + "/introspect";
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
        if (client.refusal().isPresent() || !client.isClient()) {
            return client.refusal().orElse(TokenRefusal.INVALID_CLIENT).asError();
        }
        String token = fields.get("token");
        if (token == null || request.query().isPresent()) {
            return TokenRefusal.INVALID_REQUEST.asError();
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        Map<String, Object> claims = inspection.claimsOf(token, client.id());
        shown.put("active", !claims.isEmpty());
        shown.putAll(claims);
        return Answer.ofJson(JsonText.of(shown).getBytes(StandardCharsets.UTF_8));
    }
}
