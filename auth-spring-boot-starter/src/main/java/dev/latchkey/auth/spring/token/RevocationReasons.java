package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Tells a client why its session ended: another login replaced the session, the owner or an operator ended the session, or the
 * account is barred. Only the bearer of an unexpired token with a right signature gets the reason, and only if {@code
 * latchkey.revocation.tell-reasons} is true.
 *
 * <p>The reason of a session is a further entry in the store of revocations, so each node knows the reason. Safe for use by any
 * number of threads.
 */
public final class RevocationReasons {

    /** The reason for the end of a session. */
    public enum Reason {
        /** A newer login took the place of the session. */
        REPLACED,
        /** The owner or an operator ended the session. */
        ENDED;

        /** No session has such an id, because a session's id has no control character. */
        private String idOf(String session) {
            return name() + '\0' + session;
        }
    }

    private final JwtVerifier verifier;
    private final RevocationStore revocations;
    private final InstantSource clock;

    /**
     * The reasons of a service.
     *
     * @param verifier of its access tokens
     * @param revocations of its access tokens
     * @param clock of the service
     */
    public RevocationReasons(JwtVerifier verifier, RevocationStore revocations, InstantSource clock) {
        this.verifier = verifier;
        this.revocations = StoreTime.of(revocations);
        this.clock = clock;
    }

    /**
     * Records a reason. Call this method before the session is revoked, so that a rejected client always finds the reason.
     *
     * @param reason of the end
     * @param subjectId the account of the session
     * @param session its id
     * @param until the end of the last access token of the session
     */
    public void record(Reason reason, String subjectId, String session, Instant until) {
        revocations.revokeTokenOf(subjectId, reason.idOf(session), until);
    }

    /**
     * The answer to a request with a rejected token.
     *
     * @param token as the client sent the token
     * @return 401 with the type of the reason; without a type if there is no reason to send
     * @throws AuthUnavailableException if the store does not answer
     */
    public Answer answerTo(BearerToken token) {
        return token.token()
                .withBytes(verifier::verify)
                .verified()
                .flatMap(jwt -> StoreTime.inOneRequest(() -> problemOf(jwt)))
                .map(problem -> Answer.of(problem).with("WWW-Authenticate", BearerChallenge.INVALID_TOKEN.field()))
                .orElseGet(() -> Answer.of(BearerChallenge.INVALID_TOKEN));
    }

    private Optional<Problem> problemOf(VerifiedJwt jwt) {
        Instant notBefore = jwt.subject().map(revocations::notBefore).orElse(Instant.MIN);
        if (notBefore.isAfter(clock.instant().plusSeconds(1))) {
            return Optional.of(Problem.ACCOUNT_BARRED);
        }
        if (jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session) {
            if (revocations.isTokenRevoked(Reason.REPLACED.idOf(session))) {
                return Optional.of(Problem.LOGIN_REPLACED);
            }
            if (revocations.isTokenRevoked(Reason.ENDED.idOf(session))) {
                return Optional.of(Problem.LOGIN_ENDED);
            }
        }
        return jwt.issuedAt().orElse(Instant.MIN).isBefore(notBefore)
                ? Optional.of(Problem.LOGIN_ENDED)
                : Optional.empty();
    }
}
