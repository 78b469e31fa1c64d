package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.store.StoreTime;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Introspects tokens for a resource server (RFC 7662). Knows access tokens of this service, refresh tokens of the asking client,
 * and API keys that a plugin reads. Tokens of other issuers count as unknown. Safe for use by any number of threads.
 */
public final class TokenInspection {

    /** Spring Security gives a resource server an authority with this prefix for each scope. */
    private static final String SCOPE_PREFIX = "SCOPE_";

    /** Claims of access tokens: RFC 7662 section 2.2, the actor (RFC 8693 section 4.1) and the proof (RFC 9470 section 6.2). */
    private static final List<String> SHOWN =
            List.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_id", "act", "amr", "auth_time");

    private final AuthChain plugins;
    private final AuthChain unlimited;
    private final AccessTokens tokens;
    private final @Nullable RefreshableLogins logins;

    TokenInspection(AuthChain plugins, AccessTokens tokens, @Nullable RefreshableLogins logins) {
        this.plugins = plugins;
        this.unlimited = plugins.withGate(LoginGate.OPEN);
        this.tokens = tokens;
        this.logins = logins;
    }

    /**
     * The claims of a token.
     *
     * @param token the token, in any form
     * @param client the id of the asking client
     * @return empty for a token that is revoked, expired or unknown, that the resource server rejects, that belongs to another
     *     client, or whose session has ended
     * @throws AuthUnavailableException if a store, a plugin or a validator of the resource server reached no decision
     */
    public Map<String, Object> claimsOf(String token, String client) {
        return StoreTime.inOneRequest(() -> inOneRequest(token, client));
    }

    private Map<String, Object> inOneRequest(String token, String client) {
        RefreshToken refresh = RefreshToken.parse(token).orElse(null);
        Optional<StoredLogin> session =
                logins == null || refresh == null ? Optional.empty() : logins.find(refresh, client);
        if (session.isPresent()) {
            return claimsOf(session.get(), client);
        }
        // A key of a plugin may have the form of a refresh token.
        List<Credentials> own = TokenRevocation.readAsBearer(token, plugins);
        if (!own.isEmpty()) {
            return claimsOf(own.get(0));
        }
        return tokens.readByRule(token)
                .filter(jwt -> isSessionLive(jwt) && isAccountActive(jwt) && isAccepted(token))
                .map(TokenInspection::claimsOf)
                .orElse(Map.of());
    }

    private static Map<String, Object> claimsOf(StoredLogin session, String client) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", session.subjectId());
        claims.put("iat", session.startedAt().getEpochSecond());
        claims.put("exp", session.expiresAt().getEpochSecond());
        claims.put("client_id", client);
        return claims;
    }

    /**
     * The asking client has shown its secret, so unknown keys do not count against its client IP. Issued credentials cannot be
     * guessed. Other credentials of a plugin may be short, so the login limits apply.
     */
    private Map<String, Object> claimsOf(Credentials key) {
        AuthChain asked = key instanceof IssuedCredentials ? unlimited : plugins;
        if (!(asked.authenticate(key, RequestContext.none()) instanceof Authenticated login)) {
            return Map.of();
        }
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", login.subject().id());
        Optional.ofNullable(login.subject().claims().get(Subject.KEY_CLAIM))
                .ifPresent(id -> claims.put(Subject.KEY_CLAIM, id));
        String scopes = login.subject().authorities().stream()
                .filter(authority -> authority.startsWith(SCOPE_PREFIX))
                .map(authority -> authority.substring(SCOPE_PREFIX.length()))
                .sorted()
                .collect(Collectors.joining(" "));
        if (!scopes.isEmpty()) {
            claims.put("scope", scopes);
        }
        Optional.of(login.validUntil())
                .filter(end -> !end.equals(Instant.MAX))
                .ifPresent(end -> claims.put("exp", end.getEpochSecond()));
        return claims;
    }

    private static Map<String, Object> claimsOf(VerifiedJwt jwt) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("token_type", "Bearer");
        for (String name : SHOWN) {
            Object value = jwt.claims().get(name);
            if (value != null) {
                claims.put(name, value);
            }
        }
        return claims;
    }

    /** Whether the token has no session, or a session whose account may still log in. */
    private boolean isSessionLive(VerifiedJwt jwt) {
        return logins == null
                || !(jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session)
                // A further token, issued for a token without a session, has that token's id in this claim.
                || !RefreshToken.isSessionId(session)
                || logins.isLive(session);
    }

    /** The session of an acting token belongs to the actor, so the account was not looked up so far. */
    private boolean isAccountActive(VerifiedJwt jwt) {
        return JwtRevocations.actorOf(jwt).isEmpty()
                || jwt.subject()
                        .flatMap(id -> ActingTokens.accountOf(id, plugins))
                        .isPresent();
    }

    /**
     * A resource server must reject each token that this service rejects: for example, an old token without authorities, whose
     * account is disabled.
     */
    private boolean isAccepted(String token) {
        boolean readsTokens = plugins.plugins().stream()
                .anyMatch(plugin -> plugin instanceof LoginSource<?> source && source.kind() == BearerToken.class);
        return !readsTokens
                || plugins.authenticate(BearerToken.of(token), RequestContext.none()) instanceof Authenticated;
    }
}
