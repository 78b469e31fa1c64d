package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a verified token was revoked. A revocation may cover the token alone, by {@code jti}. A revocation
 * may also cover all tokens of one session, by {@code sid}, or all earlier tokens of the subject, by {@code iat}.
 *
 * <p>A token without {@code jti} has a digest of its claims as id. Two such tokens with equal claims are revoked
 * together.
 *
 * <p>A token without {@code iat} counts as revoked after any revocation of its subject, because the token's age is
 * unknown. A token with a future date could escape a revocation; {@link JwtVerifier} rejects such a token until its
 * date. Immutable; safe for use by any number of threads if the store is.
 *
 * <p>The calls of one check share the time budget of the calling thread's request ({@link StoreTime}). Without a
 * request, the calls of a check together get {@link StoreTime#OF_A_REQUEST}.
 */
public final class JwtRevocations {

    /** The claim with the token's session, a string. A value of another type is ignored: another issuer may use the name. */
    public static final String SESSION_CLAIM = "sid";

    /** The extent of a revocation. */
    enum Scope {
        NOTHING,
        TOKEN,
        SUBJECT
    }

    private final RevocationStore store;
    private final boolean needsNoBudget;

    private JwtRevocations(RevocationStore store) {
        this.store = store;
        this.needsNoBudget = store instanceof InMemoryRevocationStore;
    }

    /**
     * Creates the rule for this store.
     *
     * @param store for the ids of tokens and sessions, and for subjects
     * @return the rule, without own state
     */
    public static JwtRevocations in(RevocationStore store) {
        return new JwtRevocations(StoreTime.of(Objects.requireNonNull(store, "store")));
    }

    /**
     * Whether this token was revoked.
     *
     * @param jwt a verified token
     * @return whether the token's id, session or subject was revoked
     * @throws AuthUnavailableException if the store does not answer; do not accept the token in this case
     */
    public boolean isRevoked(VerifiedJwt jwt) {
        return scopeOf(
                        jwt,
                        jwt.subject().orElse(null),
                        sessionOf(jwt),
                        actorOf(jwt).orElse(null))
                != Scope.NOTHING;
    }

    /**
     * Revokes this token alone. The store has a bounded number of entries for each account. The entry counts for the
     * subject. If the token has an actor, the entry counts for the actor. If the account has no space left, all tokens of
     * the account are revoked.
     *
     * @param jwt a verified token
     * @param acceptedUntil the end of the token's validity, for {@link RevocationStore#revokeToken}
     * @throws AuthUnavailableException if the store does not answer
     */
    public void revoke(VerifiedJwt jwt, Instant acceptedUntil) {
        String id = jwt.revocationId();
        actorOf(jwt)
                .or(jwt::subject)
                .ifPresentOrElse(
                        account -> store.revokeTokenOf(account, id, acceptedUntil),
                        () -> store.revokeToken(id, acceptedUntil));
    }

    /**
     * The account that acts as the token's subject.
     *
     * @param jwt a verified token
     * @return empty if the token has no such claim, or the claim is no object with {@code sub}
     */
    public static Optional<String> actorOf(VerifiedJwt jwt) {
        return actorIn(jwt.claims().get(Subject.ACTOR_CLAIM));
    }

    /**
     * The account that acts as the subject of any issuer's token.
     *
     * @param claim the value of {@link Subject#ACTOR_CLAIM}; null for no such claim
     * @return empty if the claim is no object with {@code sub}
     */
    public static Optional<String> actorIn(@Nullable Object claim) {
        return claim instanceof Map<?, ?> actor && actor.get("sub") instanceof String id
                ? Optional.of(id)
                : Optional.empty();
    }

    /**
     * The extent of the revocation for this token and subject. If the token has an actor, a revocation of the actor ends
     * the token too.
     *
     * @param session the token's session
     * @param actor the account that acts as the subject
     */
    Scope scopeOf(VerifiedJwt jwt, @Nullable String subject, @Nullable String session, @Nullable String actor) {
        // An in-memory store needs no budget.
        return needsNoBudget
                ? askedScopeOf(jwt, subject, session, actor)
                : StoreTime.inOneRequest(() -> askedScopeOf(jwt, subject, session, actor));
    }

    private Scope askedScopeOf(
            VerifiedJwt jwt, @Nullable String subject, @Nullable String session, @Nullable String actor) {
        if (store.isTokenRevoked(jwt.revocationId()) || (session != null && store.isTokenRevoked(session))) {
            return Scope.TOKEN;
        }
        return isRevoked(jwt, subject) || isRevoked(jwt, actor) ? Scope.SUBJECT : Scope.NOTHING;
    }

    private boolean isRevoked(VerifiedJwt jwt, @Nullable String account) {
        Instant notBefore = account == null ? Instant.MIN : store.notBefore(account);
        return notBefore.isAfter(Instant.MIN)
                && jwt.issuedAt().orElse(Instant.MIN).isBefore(notBefore);
    }

    private static @Nullable String sessionOf(VerifiedJwt jwt) {
        try {
            return jwt.text(SESSION_CLAIM).orElse(null);
        } catch (ClaimTypeException e) {
            return null;
        }
    }
}
