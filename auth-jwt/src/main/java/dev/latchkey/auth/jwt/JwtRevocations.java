package dev.latchkey.auth.jwt;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
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
 * <p>The calls of a check together get the time of a single call, {@link StoreTime#OF_A_REQUEST}.
 */
public final class JwtRevocations {

    /** The claim with the token's session, a string. Another issuer may use the claim for something else. */
    public static final String SESSION_CLAIM = "sid";

    /** The claim with the account that acts as the token's subject, an object with {@code sub}: RFC 8693, section 4.1. */
    public static final String ACTOR_CLAIM = Subject.ACTOR_CLAIM;

    /** The extent of a revocation. */
    enum Scope {
        NOTHING,
        TOKEN,
        SUBJECT
    }

    /** Calls to memory take less. Such a check needs no view of the store, and so no objects. */
    private static final long NANOS_OF_MEMORY = 1_000_000;

    private final RevocationStore store;
    private final LongSupplier nanos;

    private JwtRevocations(RevocationStore store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    /**
     * Creates the rule for this store.
     *
     * @param store for the ids of tokens and sessions, and for subjects
     * @return the rule, without own state
     */
    public static JwtRevocations in(RevocationStore store) {
        return in(store, System::nanoTime);
    }

    static JwtRevocations in(RevocationStore store, LongSupplier nanos) {
        return new JwtRevocations(Objects.requireNonNull(store, "store"), nanos);
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
     * Revokes this token alone. The entry counts against the subject's space in the store.
     *
     * @param jwt a verified token
     * @param acceptedUntil the end of the token's validity, for {@link RevocationStore#revokeToken}
     * @throws AuthUnavailableException if the store does not answer
     */
    public void revoke(VerifiedJwt jwt, Instant acceptedUntil) {
        String id = jwt.revocationId();
        String subject = jwt.subject().orElse(null);
        if (subject == null) {
            store.revokeToken(id, acceptedUntil);
        } else {
            store.revokeTokenOf(subject, id, acceptedUntil);
        }
    }

    /**
     * The account that acts as the token's subject.
     *
     * @param jwt a verified token
     * @return empty if the token has no such claim, or the claim is no object with {@code sub}
     */
    public static Optional<String> actorOf(VerifiedJwt jwt) {
        return Optional.ofNullable(actorIn(jwt.claims().get(ACTOR_CLAIM)));
    }

    static @Nullable String actorIn(@Nullable Object claim) {
        return claim instanceof Map<?, ?> actor && actor.get("sub") instanceof String id ? id : null;
    }

    /**
     * The extent of the revocation for this token and subject. A token to act with ends with each of both accounts.
     *
     * @param session the token's session
     * @param actor the account that acts as the subject
     */
    Scope scopeOf(VerifiedJwt jwt, @Nullable String subject, @Nullable String session, @Nullable String actor) {
        long begun = nanos.getAsLong();
        if (store.isTokenRevoked(jwt.revocationId())
                || (session != null && since(begun).isTokenRevoked(session))) {
            return Scope.TOKEN;
        }
        return isRevoked(jwt, subject, begun) || isRevoked(jwt, actor, begun) ? Scope.SUBJECT : Scope.NOTHING;
    }

    /** The store within the rest of the time. */
    private RevocationStore since(long begun) {
        long spent = nanos.getAsLong() - begun;
        if (spent < NANOS_OF_MEMORY) {
            return store;
        }
        Duration left = StoreTime.OF_A_REQUEST.minusNanos(spent);
        if (left.isNegative() || left.isZero()) {
            throw AuthUnavailableException.outage(
                    "The revocation store has taken " + StoreTime.OF_A_REQUEST.toSeconds() + " seconds already");
        }
        return store.within(left);
    }

    private boolean isRevoked(VerifiedJwt jwt, @Nullable String account, long begun) {
        Instant notBefore = account == null ? Instant.MIN : since(begun).notBefore(account);
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
