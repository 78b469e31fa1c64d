package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a verified token was revoked: alone, by its {@code jti}; with all tokens of one login, by its {@code sid}; or with all earlier tokens of
 * its subject, by its {@code iat}.
 *
 * <p>A token without an {@code iat} is revoked once any revocation of its subject exists, since nothing shows that it is newer. A token that is dated in
 * the future could escape a revocation; {@link JwtVerifier} refuses it until then. Immutable; safe for use by any number of threads if the store is.
 */
public final class JwtRevocations {

    /** The claim that names the login a token belongs to, a string; another issuer may mean something else by it. */
    public static final String SESSION_CLAIM = "sid";

    /** What was revoked, if anything was. */
    enum Scope {
        NOTHING,
        TOKEN,
        SUBJECT
    }

    private final RevocationStore store;

    private JwtRevocations(RevocationStore store) {
        this.store = store;
    }

    /**
     * Asks this store.
     *
     * @param store of the ids of tokens and logins, and of subjects
     * @return the rule, which keeps nothing itself
     */
    public static JwtRevocations in(RevocationStore store) {
        return new JwtRevocations(Objects.requireNonNull(store, "store"));
    }

    /**
     * Whether this token was revoked.
     *
     * @param jwt a token that a verifier has accepted
     * @return whether its id, its login or its subject was revoked
     * @throws AuthUnavailableException if the store does not answer; the token must not be accepted then
     */
    public boolean isRevoked(VerifiedJwt jwt) {
        return scopeOf(jwt, jwt.subject().orElse(null), sessionOf(jwt)) != Scope.NOTHING;
    }

    /**
     * Revokes this token alone, in the room that its subject has in the store.
     *
     * @param jwt a token that a verifier has accepted
     * @param acceptedUntil when the token ends anyway, as {@link RevocationStore#revokeToken} asks for
     * @return {@code false} for a token without a {@code jti}, which cannot be revoked alone
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean revoke(VerifiedJwt jwt, Instant acceptedUntil) {
        String id = jwt.id().orElse(null);
        if (id == null) {
            return false;
        }
        String subject = jwt.subject().orElse(null);
        if (subject == null) {
            store.revokeToken(id, acceptedUntil);
        } else {
            store.revokeTokenOf(subject, id, acceptedUntil);
        }
        return true;
    }

    /**
     * What was revoked of this token of this subject.
     *
     * @param session the login that it belongs to
     */
    Scope scopeOf(VerifiedJwt jwt, @Nullable String subject, @Nullable String session) {
        if (jwt.id().filter(store::isTokenRevoked).isPresent() || (session != null && store.isTokenRevoked(session))) {
            return Scope.TOKEN;
        }
        Instant notBefore = subject == null ? Instant.MIN : store.notBefore(subject);
        boolean revoked = notBefore.isAfter(Instant.MIN)
                && jwt.issuedAt().orElse(Instant.MIN).isBefore(notBefore);
        return revoked ? Scope.SUBJECT : Scope.NOTHING;
    }

    private static @Nullable String sessionOf(VerifiedJwt jwt) {
        try {
            return jwt.text(SESSION_CLAIM).orElse(null);
        } catch (ClaimTypeException e) {
            return null;
        }
    }
}
