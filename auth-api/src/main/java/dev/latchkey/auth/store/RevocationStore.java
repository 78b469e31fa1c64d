package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;

/**
 * Keeps revocations: of single tokens by their ids, and of all tokens issued to a subject before an instant.
 *
 * <p>The default is {@link InMemoryRevocationStore}, for a single process. Several nodes need an implementation on a
 * server shared by all nodes, preferably a {@link SharedRevocationStore}. Safe for use by any number of threads. Each
 * method throws {@link AuthUnavailableException} if the store cannot answer: no token is accepted without this answer.
 * Any other exception is a defect, and the request ends with an error. After a method returns, the store shows the
 * change to every node. A repeated revocation is no error; the later end applies.
 *
 * <p>Clocks of nodes differ by a few seconds, so a shared store keeps each entry for about a minute beyond its end. A
 * single node's clock may be a year ahead. Therefore a store does not remove entries of other nodes by the clock of a
 * single node: the server's clock must agree. A subject's bound is kept for the longest lifetime of a token or a
 * session. With the starter, this is the longest of 30 days, {@code latchkey.jwt.max-lifetime} (by default
 * {@code latchkey.jwt.lifetime}) and {@code latchkey.login.refresh.lifetime}, plus five minutes.
 *
 * <p>The key of a subject is its id alone. Subjects of different plugins with the same id share a bound: the revocation
 * of all tokens of the first subject may log out the second subject. Ask about a token's id first and about its subject
 * afterwards, because a store may replace token entries by a bound of their subject ({@link #revokeTokenOf}).
 */
public interface RevocationStore {

    /**
     * Revokes a token.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of all tokens of a session
     * @param expiresAt the instant after which the entry may be removed: the token's {@code exp} plus the clock skew of
     *     its verifier
     */
    void revokeToken(String tokenId, Instant expiresAt);

    /**
     * Revokes a token of this subject, see {@link #revokeToken}.
     *
     * <p>A store without sufficient room may instead revoke all tokens issued to the subject so far. The subject then
     * has to log in again, without an effect on other subjects. The default revokes the token alone.
     *
     * @param subjectId the subject of the token
     * @param tokenId the token's {@code jti}, or the {@code sid} of all tokens of a session
     * @param expiresAt as for {@link #revokeToken}
     */
    default void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        revokeToken(tokenId, expiresAt);
    }

    /**
     * Revokes all tokens issued to the subject before {@code notBefore}. A later call can move the bound forward, never
     * back. A bound in the future bans the subject until then, so make sure that the clock is right.
     *
     * <p>A token's {@code iat} counts whole seconds, so the bound is the next whole second after {@code notBefore}. A
     * token issued in the same second, just before the revocation, is therefore revoked as well. Issue a new token only
     * at {@link #notBefore} or later. Do not set the issue time of a new token into the future instead: the token would
     * survive a second revocation within the same second.
     *
     * @param subjectId the subject of the tokens, for logins of any plugin
     * @param notBefore tokens issued in this second or before are rejected
     */
    void revokeSubject(String subjectId, Instant notBefore);

    /**
     * The bound set by {@link #revokeSubject}, in whole seconds; {@link Instant#MIN} without a bound.
     *
     * @param subjectId the subject of the tokens
     * @return the first instant at which issued tokens are valid again
     */
    Instant notBefore(String subjectId);

    /**
     * The present bound in the store. A copy in {@link LocalRevocations} may be as old as
     * {@link LocalRevocationSettings#staleAfter}. A decision that must not miss a change of another node asks this method.
     *
     * @param subjectId the subject of the tokens
     * @return as {@link #notBefore}, which is also the default
     */
    default Instant currentNotBefore(String subjectId) {
        return notBefore(subjectId);
    }

    /**
     * Whether this token's id was revoked.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of its session
     * @return possibly {@code false} for a revoked token that has expired
     */
    boolean isTokenRevoked(String tokenId);

    /**
     * Whether the subject's tokens with this issue time are revoked. Before a new token is issued for an old session,
     * call this method and not {@link #notBefore}: a new token would survive a revocation that is not yet in the copy.
     *
     * @param subjectId the subject of the tokens
     * @param issuedAt the token's {@code iat}, or the start of the session
     * @return whether {@code issuedAt} is before {@link #currentNotBefore}
     */
    default boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(currentNotBefore(subjectId));
    }

    /**
     * A view of this store in which each call takes at most the given time, and at most the store's own deadline.
     * {@link StoreTime} creates a view for each call, so a view should cost an object and nothing else.
     *
     * @param longest the time for a call; a longer call is an outage
     * @return a view of this store; unless overridden, this store with its own deadline
     */
    default RevocationStore within(Duration longest) {
        return this;
    }
}
