package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Ends sessions.
 *
 * <p>The access tokens are revoked first, by the session id in each token. The session's row is deleted afterwards. An
 * interruption in between leaves a session that can be ended again, and no valid access token.
 */
final class LoginEndings {

    private final LoginStore store;
    private final RevocationStore revocations;
    private final Duration kept;
    private final InstantSource clock;
    private final LoginListener listener;

    /** Records the reason for the end of a session; null without a record. */
    private final @Nullable RevocationReasons reasons;

    /** @param kept the time for which the end of a session is kept: {@link LatchkeyProperties#longestAfterAnEnd} */
    LoginEndings(
            LoginStore store,
            RevocationStore revocations,
            Duration kept,
            InstantSource clock,
            LoginListener listener,
            @Nullable RevocationReasons reasons) {
        this.store = store;
        this.revocations = revocations;
        this.kept = kept;
        this.clock = clock;
        this.listener = listener;
        this.reasons = reasons;
    }

    /** Revokes all tokens of this subject up to now, with and without a session. */
    void revokeAll(String subjectId) {
        revocations.revokeSubject(subjectId, clock.instant());
    }

    /** Ends a session of this subject. An ended session may be ended again. */
    void end(String id, String subjectId, LoginListener.Cause cause) {
        Instant lastExpiry = clock.instant().plus(kept);
        if (reasons != null) {
            record(reasons, id, subjectId, cause, lastExpiry);
        }
        revocations.revokeTokenOf(subjectId, id, lastExpiry);
        if (store.end(id)) {
            listener.ended(subjectId, cause);
        }
    }

    /**
     * Records no reason for a logout, because the client knows the reason. Records no reason for a copied refresh
     * token, because the thief could read the reason.
     */
    private void record(
            RevocationReasons reasons, String id, String subjectId, LoginListener.Cause cause, Instant lastExpiry) {
        if (cause == LoginListener.Cause.DISPLACED) {
            reasons.record(RevocationReasons.Reason.REPLACED, subjectId, id, lastExpiry);
        } else if (cause == LoginListener.Cause.OWNER || cause == LoginListener.Cause.OPERATOR) {
            reasons.record(RevocationReasons.Reason.ENDED, subjectId, id, lastExpiry);
        }
    }
}
