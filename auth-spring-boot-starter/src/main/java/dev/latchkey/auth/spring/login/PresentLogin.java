package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.VerifiedJwt;
import java.time.Instant;
import java.util.Optional;

/**
 * The session of a valid access token, for a further token of the same session. The further token has the {@code sid} of the
 * first token, or its id if there is no session. So the end of the session revokes both. Both tokens name the same client.
 *
 * @param subjectId the account of the token
 * @param session the {@code sid} of further tokens
 * @param client the {@code client_id} of further tokens; empty without a client
 * @param expiresAt the latest expiry of further tokens
 */
record PresentLogin(String subjectId, String session, String client, Instant expiresAt) {

    /**
     * Reads a token.
     *
     * @return empty for an invalid token, for a token without an id, and for an acting token
     * @throws AuthUnavailableException if the store of revocations does not answer
     */
    static Optional<PresentLogin> of(String accessToken, AccessTokens tokens) {
        return tokens.read(accessToken)
                .filter(jwt -> JwtRevocations.actorOf(jwt).isEmpty())
                .flatMap(PresentLogin::of);
    }

    private static Optional<PresentLogin> of(VerifiedJwt jwt) {
        Optional<String> session =
                jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String sid ? Optional.of(sid) : jwt.id();
        String client = jwt.claims().get(AccessTokens.CLIENT_CLAIM) instanceof String name ? name : "";
        return jwt.subject()
                .flatMap(subject -> session.map(id ->
                        new PresentLogin(subject, id, client, jwt.expiresAt().orElse(Instant.MAX))));
    }
}
