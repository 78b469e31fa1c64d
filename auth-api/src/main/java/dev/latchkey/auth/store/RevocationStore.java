package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Instant;

/**
 * Remembers which tokens are worthless before their time: single ones by id, and all of a subject up to an instant.
 *
 * <p>The default is {@link InMemoryRevocationStore}, which lives in one process; several nodes need an implementation that keeps
 * them on a server which all of them share. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the store cannot
 * answer: a token whose revocation is unknown is not accepted. To revoke what is revoked already is no error, and changes nothing
 * but an earlier end.
 *
 * <p>A subject is known by its id alone, so subjects of one id that different plugins authenticated share their bound: revoking all of
 * one may log another one out, and never leaves one logged in. Ask about a token's id first and about its subject
 * afterwards, since a store may replace single tokens by their subject's bound ({@link #revokeTokenOf}), in this order.
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
     * <p>A store that can hold so many only may revoke all that was issued to the subject so far instead: the subject has to log in
     * again then, and nobody else notices. A store that does not override this does not tell subjects apart.
     *
     * @param subjectId whose token it is
     * @param tokenId the token's {@code jti}, or the {@code sid} of all tokens of one login
     * @param expiresAt as for {@link #revokeToken}
     */
    default void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        revokeToken(tokenId, expiresAt);
    }

    /**
     * Revokes what was issued to the subject before {@code notBefore}; a later call can only extend that.
     *
     * <p>A token's {@code iat} counts whole seconds, so the bound is the next whole second after {@code notBefore}: a token
     * of that same second, issued just before the revocation, does not survive it. Who issues a new one waits until then ({@link #notBefore}), and dates no token
     * ahead of the clock: it would outlive another revocation within the second.
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
     * Whether all tokens of the subject that were issued at this time are revoked. Who issues a new token for an old login asks this, and not for the bound: the
     * answer is never that of a copy, since a token that is dated past a bound which a copy does not know yet would outlive it.
     *
     * @param subjectId whose tokens are asked about
     * @param issuedAt the token's {@code iat}, or the start of the login
     * @return whether it lies before {@link #notBefore}
     */
    default boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
        return issuedAt.isBefore(notBefore(subjectId));
    }
}
