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
record IntrospectEndpoint(LatchkeyProperties.Login settings, OAuthClients clients, TokenInspection inspection)
        implements AuthEndpoint {

    @Override
    public String path() {
        return settings.basePath() + "/introspect";
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
        return clients.withToken(request, OAuthClients.Decision::refusalUnlessClient, this::answer);
    }

    private Answer answer(OAuthClients.Decision client, String token) {
        Map<String, Object> claims = inspection.claimsOf(token, client.id());
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("active", !claims.isEmpty());
        shown.putAll(claims);
        return Answer.ofJson(JsonText.of(shown).getBytes(StandardCharsets.UTF_8));
    }
}
