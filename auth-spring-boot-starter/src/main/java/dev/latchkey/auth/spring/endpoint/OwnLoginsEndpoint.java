package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.account.OwnLogins;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.StoredLogin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/**
 * Shows the sessions of an account, or ends a session. Admits only bearers of a valid access token to the sessions of the
 * account. The answer is 401 without a valid token, and 400 with several credentials. The token must be in a header field, so
 * pages of other origins cannot send the request.
 *
 * <p>The ids are digests: no token can be derived from an id. So an id may stand in the path.
 */
record OwnLoginsEndpoint(
        HttpMethod method,
        String path,
        BiFunction<OwnLogins.Bearer, EndpointRequest, Answer> action,
        OwnLogins logins,
        TokenHeader tokenHeader,
        AuthChain plugins)
        implements AuthEndpoint {

    private static final String ID = "id";

    /** {@code GET}: the sessions of the account, the newest first, with a mark for the token's own session. */
    static OwnLoginsEndpoint ofList(LatchkeyProperties properties, OwnLogins logins, AuthChain plugins) {
        return new OwnLoginsEndpoint(
                HttpMethod.GET,
                properties.login().basePath() + "/logins",
                (bearer, request) -> list(bearer),
                logins,
                TokenHeader.of(properties),
                plugins);
    }

    /** {@code DELETE}: revokes all tokens of a session. The session of another account is an unknown id, 404. */
    static OwnLoginsEndpoint ofEnd(LatchkeyProperties properties, OwnLogins logins, AuthChain plugins) {
        return new OwnLoginsEndpoint(
                HttpMethod.DELETE,
                properties.login().basePath() + "/logins/{" + ID + "}",
                (bearer, request) -> bearer.end(request.variable(ID))
                        ? Answer.of(204).with("Cache-Control", "no-store")
                        : Answer.of(Problem.NOT_FOUND),
                logins,
                TokenHeader.of(properties),
                plugins);
    }

    @Override
    public Answer answer(EndpointRequest request) {
        if (PresentedCredentials.bearerOrOfPlugins(tokenHeader)
                .in(request.context(), plugins)
                .areSeveral()) {
            return Answer.of(Problem.BAD_REQUEST);
        }
        return tokenHeader
                .textIn(request.headers())
                .map(token -> logins.bearerOf(token)
                        .map(bearer -> bearer.actor().isPresent()
                                ? Answer.of(BearerChallenge.INSUFFICIENT_SCOPE)
                                : action.apply(bearer, request))
                        .orElseGet(() -> Answer.of(BearerChallenge.INVALID_TOKEN)))
                .orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }

    private static Answer list(OwnLogins.Bearer bearer) {
        Object logins = bearer.logins().stream()
                .map(login -> shown(login, bearer.isPresent(login)))
                .toList();
        return Answer.ofJson(JsonText.of(Map.of("logins", logins)).getBytes(StandardCharsets.UTF_8));
    }

    /** Times in ISO 8601 with whole seconds; {@code device} and {@code address} if recorded. */
    private static Map<String, Object> shown(StoredLogin login, boolean isCurrent) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", login.id());
        shown.put("started_at", time(login.startedAt()));
        shown.put("last_used_at", time(login.lastUsedAt()));
        shown.put("expires_at", time(login.expiresAt()));
        putIfKnown(shown, "device", login.device().name());
        putIfKnown(shown, "address", login.device().address());
        shown.put("current", isCurrent);
        return shown;
    }

    private static void putIfKnown(Map<String, Object> shown, String name, @Nullable String value) {
        if (value != null) {
            shown.put(name, value);
        }
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
