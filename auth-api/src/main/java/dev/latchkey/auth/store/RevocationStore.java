package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;

/**
 * Remembers revocations: single tokens by their ids, and all tokens of a subject that were issued before an instant.
 *
 * <p>The default is {@link InMemoryRevocationStore}, which lives in one process; several nodes need an implementation that keeps them on a server which
 * all of them share, a {@link SharedRevocationStore} best. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the
 * store cannot answer: a token whose revocation is unknown is not accepted. Any other exception is a defect, which ends the request as one. What was
 * acknowledged is seen by every node from then on. Revoking something twice is no error; of two ends the later one holds.
 *
 * <p>Clocks of nodes differ by a few seconds, so a store that they share keeps everything longer than its end by some more, a minute say. Of what other nodes recorded it
 * forgets nothing by the clock of one node alone, which may be a year ahead: its server's clock has to agree. A subject's bound is kept for the
 * longest time that a token or a login lasts; with the starter that is the longer of {@code latchkey.jwt.lifetime} and, where logins are prolonged, {@code
 * latchkey.login.refresh.lifetime}, and five minutes.
 *
 * <p>A subject is known by its id alone, so subjects of different plugins that have the same id share one bound: revoking all tokens of one may log the
 * other one out as well. Ask about a token's id first and about its subject afterwards, since a store may replace entries of single tokens by a bound of
 * their subject ({@link #revokeTokenOf}).
 */
public interface RevocationStore {

    /**
     * Revokes one token.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of all tokens of one login
     * @param expiresAt from when on nobody accepts it anyway, so that it may be forgotten: the token's {@code exp} and the
     *     clock skew that its verifier allows
     */
    void revokeToken(String tokenId, Instant expiresAt);

    /**
     * Revokes one token of this subject, as {@link #revokeToken} does.
     *
     * <p>A store that is short of room may revoke everything that was issued to the subject so far instead. The subject then has to log in again, and
     * nobody else is affected. The default revokes the token alone.
     *
     * @param subjectId whose token it is
     * @param tokenId the token's {@code jti}, or the {@code sid} of all tokens of one login
     * @param expiresAt as for {@link #revokeToken}
     */
    default void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        revokeToken(tokenId, expiresAt);
    }

    /**
     * Revokes everything that was issued to the subject before {@code notBefore}. A later call can move the bound forward, never back. One in the future bars the
     * subject until then, so it is a ban: take care that the clock is right.
     *
     * <p>A token's {@code iat} counts whole seconds, so the bound is the next whole second after {@code notBefore}: a token of that same second, issued
     * just before the revocation, does not survive it. A new token is issued only once that second has come ({@link #notBefore}). It must not be dated
     * ahead of the clock instead, since it would then survive another revocation within the same second.
     *
     * @param subjectId whose tokens they are, whichever plugin decided the logins
     * @param notBefore what was issued in this second or before is refused
     */
    void revokeSubject(String subjectId, Instant notBefore);

    /**
     * The bound set by {@link #revokeSubject}, in whole seconds; {@link Instant#MIN} where there is none.
     *
     * @param subjectId whose tokens are asked about
     * @return from when on tokens of the subject are good again
     */
    Instant notBefore(String subjectId);

    /**
     * Whether this token's id was revoked.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of its login
     * @return {@code false} as well for one that was revoked and would be refused for its age anyway
     */
    boolean isTokenRevoked(String tokenId);

    /**
     * Whether all tokens of the subject that were issued at this time are revoked. Before a new token is issued for an old login, ask this and not
     * {@link #notBefore}. It asks the store itself where {@link LocalRevocations} keep a copy: a new token would survive a revocation that the copy does
     * not have yet.
     *
     * @param subjectId whose tokens are asked about
     * @param issuedAt the token's {@code iat}, or the start of the login
     * @return whether it lies before {@link #notBefore}
     */
    default boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(notBefore(subjectId));
    }

    /**
     * This store, each of whose calls takes no longer than that, and no longer than its own deadline. {@link StoreTime} asks for one at each call, so it
     * should cost an object and nothing else.
     *
     * @param longest how long a call may take; later than that it is an outage
     * @return a view of this store; this store itself unless overridden, which keeps its own deadline
     */
    default RevocationStore within(Duration longest) {
        return this;
    }
}
