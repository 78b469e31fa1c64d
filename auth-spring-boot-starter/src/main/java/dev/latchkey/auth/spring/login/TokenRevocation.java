package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Revokes a token, and ends its session if there is a refresh token. The session may be of another node, with refresh tokens.
 *
 * <p>The revocation is stored first. So the revocation is valid despite outages of plugins or of the session store, and without a
 * plugin that reads tokens. Each part may be repeated: after an outage the client sends the same request, and the missing parts
 * are done. Safe for use by any number of threads.
 */
public final class TokenRevocation {

    /** What became of a token. */
    public enum Outcome {
        /** Revoked, now or before. The same for text in the form of a refresh token, if its session is unknown. */
        DONE,
        /** Nothing happened: this node does not accept the token, or a plugin accepts the token and revokes none. */
        UNKNOWN,
        /** Nothing happened: another registered client got the token. */
        OF_ANOTHER_CLIENT
    }

    private final AuthChain plugins;
    private final AccessTokens tokens;
    private final @Nullable RefreshableLogins logins;
    private final Duration longest;

    /**
     * @param logins null without refresh tokens
     * @param longest how long the end of another node's session is kept after the end of the token
     */
    TokenRevocation(AuthChain plugins, AccessTokens tokens, @Nullable RefreshableLogins logins, Duration longest) {
        this.plugins = plugins;
        this.tokens = tokens;
        this.logins = logins;
        this.longest = longest;
    }

    /**
     * Revokes a token. Ignores an invalid token, unless only its time is wrong, by no more than {@link
     * LatchkeyProperties#SKEW_ALLOWANCE}.
     *
     * @param token text from a client: an access token, a refresh token, or a plugin's token
     * @return {@link Outcome#DONE} or {@link Outcome#UNKNOWN}
     * @throws AuthUnavailableException if a part failed
     */
    public Outcome revoke(String token) {
        return revoke(token, "", Set.of());
    }

    /**
     * Does what {@link #revoke(String)} does, except for a token of another registered client (RFC 7009 section 2.1). If no plugin tells the client of a
     * refresh token, the session ends: a logout is possible during an outage.
     *
     * @param token text from a client: an access token, a refresh token, or a plugin's token
     * @param client the id of the authenticated client; empty for none
     * @param registered the ids of all registered clients
     * @return what became of the token
     * @throws AuthUnavailableException if a part failed
     */
    public Outcome revoke(String token, String client, Set<String> registered) {
        return StoreTime.inOneRequest(() -> inOneRequest(token, client, registered));
    }

    private Outcome inOneRequest(String token, String client, Set<String> registered) {
        Set<String> others = others(registered, client);
        RefreshToken refresh = RefreshToken.parse(token).orElse(null);
        if (logins == null || refresh == null) {
            return revokeOther(token, others);
        }
        Outcome outcome = logins.endByRefreshToken(refresh, others);
        if (outcome == Outcome.UNKNOWN) {
            // A token of a plugin may have this form. Otherwise the session has ended: a second logout is done too.
            Outcome unused = revokeOther(token, others);
            return Outcome.DONE;
        }
        return outcome;
    }

    /** Revokes a token other than a refresh token. */
    private Outcome revokeOther(String token, Set<String> others) {
        List<Credentials> own = readAsBearer(token, plugins);
        if (!own.isEmpty()) {
            plugins.revoke(own.get(0));
            return Outcome.DONE;
        }
        VerifiedJwt jwt = verified(token);
        if (jwt != null && isOfAny(others, jwt)) {
            return Outcome.OF_ANOTHER_CLIENT;
        }
        return revoke(token, jwt);
    }

    private static Set<String> others(Set<String> registered, String client) {
        Set<String> others = new HashSet<>(registered);
        others.remove(client);
        return others;
    }

    private static boolean isOfAny(Set<String> clients, VerifiedJwt jwt) {
        return jwt.claims().get(AccessTokens.CLIENT_CLAIM) instanceof String client && clients.contains(client);
    }

    private Outcome revoke(String token, @Nullable VerifiedJwt jwt) {
        if (jwt == null) {
            return isText(token) && plugins.revoke(BearerToken.of(token)) ? Outcome.DONE : Outcome.UNKNOWN;
        }
        record(jwt, JwtRevocations.in(tokens.revocations()));
        try {
            plugins.revoke(BearerToken.of(token));
        } finally {
            endLoginOf(jwt);
        }
        return Outcome.DONE;
    }

    /** Credentials of a plugin's own kind in place of a bearer token, such as an API key. Only this plugin gets the credentials. */
    static List<Credentials> readAsBearer(String token, AuthChain plugins) {
        return isText(token)
                ? plugins.readers().of(RequestContext.none().withHeader("Authorization", "Bearer " + token))
                : List.of();
    }

    /**
     * The token, if any node accepts the token: another node's clock may be ahead or behind. A completed logout must be valid on
     * all nodes.
     */
    private @Nullable VerifiedJwt verified(String token) {
        JwtResult result = tokens.verifier().verify(token);
        if (result instanceof JwtResult.Refused refused
                && (refused.defect() == JwtDefect.NOT_YET_VALID || refused.defect() == JwtDefect.EXPIRED)) {
            result = tokens.verifier()
                    .withSkew(LatchkeyProperties.SKEW_ALLOWANCE)
                    .verify(token);
        }
        return result.verified().orElse(null);
    }

    private static void record(VerifiedJwt jwt, JwtRevocations revocations) {
        // A verifier with clock skew, or a node with a slow clock, accepts a token beyond its exp. So the revocation
        // is kept longer.
        revocations.revoke(jwt, endAfter(jwt, LatchkeyProperties.SKEW_ALLOWANCE));
    }

    private static Instant endAfter(VerifiedJwt jwt, Duration more) {
        return jwt.expiresAt().map(expiry -> expiry.plus(more)).orElse(Instant.MAX);
    }

    private void endLoginOf(VerifiedJwt jwt) {
        String subject = jwt.subject().orElse(null);
        // The session of an acting token belongs to the actor, and continues.
        if (subject != null
                && JwtRevocations.actorOf(jwt).isEmpty()
                && jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session) {
            if (logins == null) {
                StoreTime.of(tokens.revocations()).revokeTokenOf(subject, session, endAfter(jwt, longest));
            } else {
                logins.end(session, subject);
            }
        }
    }

    /** RFC 6750 section 2.1: visible ASCII. A JSON string may contain characters that no header field can carry. */
    private static boolean isText(String token) {
        return token.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }
}
